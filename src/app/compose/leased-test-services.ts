import type { TestServices } from '../../test-authority/index.ts';
import type { TestServicesView } from '../../ui-contract/ui-contract.ts';
import type { Configuration } from '../config/config.ts';
import type { Trust } from '../evidence/trust.ts';
import { wipeAuthority, type TestIdentities } from '../test-services/test-identities.ts';
import { runTestServices, type TestServicesWishes } from '../test-services/test-services.ts';

/** Services of an instance for its test services. */
export interface TestServicesParts {
  readonly dataFolder: string;
  readonly configuration: Configuration;
  readonly testIdentities: TestIdentities;
  readonly trust: Trust;
}

/** Milliseconds until services without a renewed lease stop. */
const lease = 30_000;

/**
 * Test services inside an instance, for a command that cannot open the data folder itself; the services end with the
 * command.
 */
export class LeasedTestServices {
  readonly #parts: TestServicesParts;
  #services: Promise<TestServices> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: TestServicesParts) {
    this.#parts = parts;
  }

  /** Starts the services with these options, or extends their lease by half a minute. */
  async run(port?: number, wishes: TestServicesWishes = {}): Promise<TestServicesView> {
    this.#services ??= this.#start(port, wishes).catch((error: unknown) => {
      this.#services = undefined;
      throw error;
    });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.close(), lease).unref();
    return testServicesForUi(await this.#services);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const services = this.#services;
    this.#services = undefined;
    await (await services?.catch(() => undefined))?.close();
  }

  async #start(port: number | undefined, wishes: TestServicesWishes): Promise<TestServices> {
    const { dataFolder, configuration, testIdentities, trust } = this.#parts;
    const authority = await testIdentities.openAuthority();
    try {
      await trust.refresh();
      return await runTestServices(dataFolder, authority, port ?? configuration.testServicesPort, wishes);
    } catch (error) {
      wipeAuthority(authority);
      throw error;
    }
  }
}

/** The public facts of running services. */
export function testServicesForUi({ origin, timestampUrl, authority }: TestServices): TestServicesView {
  const { ocsp } = authority.urls;
  return { origin, timestampUrl, certificatesPointTo: ocsp === undefined ? origin : new URL(ocsp).origin };
}
