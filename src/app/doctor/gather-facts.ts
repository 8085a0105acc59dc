import { connect } from 'node:net';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describeKey } from '../../service/certificates/index.ts';
import type { ComputerFacts, DriverFacts } from '../../service/checks/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import { parseCertificate, type HttpClient, readLibraryFormat } from '../../signing/index.ts';
import { listSetAside } from '../../storage/index.ts';
import type { Core } from '../compose/open-core.ts';
import { readChosenSettings } from '../config/chosen-settings.ts';
import { readStaleTrust } from '../evidence/evidence.ts';
import { readCards } from './card-service.ts';
import { findPortOwners } from './port-owners.ts';

/** Milliseconds for each network request. */
const patience = 6000;

/** Facts of this computer for the Doctor. `baseUrl` is the interface's address, or an empty text. */
export function gatherFacts(core: Core, baseUrl: string, usualPorts: readonly number[]): ComputerFacts {
  const { keys, configuration, dataFolder, secrets, now } = core;
  return {
    cards: async () => readCards(),
    tokensSeen: async () => (await keys.tokens()).length,
    missingBinding: async () => {
      const missing = await keys.missingBinding();
      return missing === undefined ? undefined : { name: 'koffi', ...missing };
    },
    drivers: async () => readDrivers(core),
    certificates: async () => readCertificates(core),
    officialRoots: () => Promise.resolve(countOfficialRoots(core)),
    staleTrust: async () => readStaleTrust(core, now()),
    visits: () => core.visits.list(),
    port: async () => {
      if (baseUrl === '') return undefined;
      const port = Number(new URL(baseUrl).port);
      const before = usualPorts.slice(0, Math.max(0, usualPorts.indexOf(port)));
      const { port: kept } = await readChosenSettings(dataFolder);
      return { port, usual: usualPorts, kept, owners: await findPortOwners(before) };
    },
    clock: async () => compareClock(core),
    secretStore: () => ({ kind: secrets.kind, canMove: core.keepSecretsInFile !== undefined }),
    proxy: async () => tryProxy(configuration.network.proxy),
    damaged: async () =>
      (await listSetAside(dataFolder)).filter(({ kind }) => kind === 'damaged').map(({ path }) => basename(path)),
    stores: async () => tryStores(core),
    renewals: async () => core.renewals.counts(),
    architecture: process.arch,
    platform: process.platform,
    now,
  };
}

function countOfficialRoots({ trust }: Pick<Core, 'trust'>): number {
  const { present } = trust;
  return present.anchors.filter((anchor) => present.hierarchyOf(anchor) === 'ICP-Brasil').length;
}

async function readDrivers({ keys }: Pick<Core, 'keys'>): Promise<readonly DriverFacts[]> {
  const [added, found] = await Promise.all([keys.modules(), keys.suggestions()]);
  const all = [
    ...added.map(({ module: { id, path, product } }) => ({ id, path, product })),
    ...found.map(({ path, product }) => ({ id: undefined, path, product })),
  ];
  return Promise.all(all.map(async (one) => ({ ...one, format: await readLibraryFormat(one.path) })));
}

async function readCertificates({ keys, evidence, now }: Core): ReturnType<ComputerFacts['certificates']> {
  const all = await keys.ring.list();
  return Promise.all(
    all.map(async (key) => {
      const { alias, holder, notAfter, isTest } = describeKey(key, now());
      const certificate = parseCertificate(key.certificate);
      const others = key.chain.map((one) => parseCertificate(one));
      // A server that answers too late is not reported as a problem.
      const end = isTest
        ? true
        : await Promise.race([evidence.findChainEnd(certificate, others, now()), pause(patience, true as const)]);
      return { alias, holder, notAfter, isTest, chainIsComplete: end !== undefined };
    }),
  );
}

/**
 * Compares the clock with the `Date` header of time-stamp servers, https before http. Other servers are not contacted,
 * because the user has permitted none.
 */
export async function compareClock({
  network,
  timestampServers,
}: Pick<Core, 'network' | 'timestampServers'>): ReturnType<ComputerFacts['clock']> {
  const servers = (await timestampServers.list()).filter(({ id }) => id !== 'test').map(({ url }) => url);
  const secureFirst = servers.toSorted(
    (one, other) => Number(other.startsWith('https:')) - Number(one.startsWith('https:')),
  );
  for (const url of secureFirst.slice(0, 2)) {
    const ahead = await clockAhead(network, url);
    if (ahead !== undefined) return { ahead, source: new URL(url).host };
  }
  return undefined;
}

async function clockAhead(network: HttpClient, url: string): Promise<number | undefined> {
  const request = { method: 'GET', url, timeout: patience / 2, maxBytes: 65_536, discardBody: true } as const;
  const before = Date.now();
  const { date } = await network.send(request).catch(() => ({ date: undefined }));
  // The header has whole seconds and was written at some time between request and answer.
  return date === undefined ? undefined : (before + Date.now()) / 2 - (date.getTime() + 500);
}

async function tryProxy(proxy: string | undefined): ReturnType<ComputerFacts['proxy']> {
  if (proxy === undefined) return undefined;
  const { hostname, port, protocol, host } = new URL(proxy);
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: number });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(patience, () => end(false));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
  return { address: host, answers };
}

async function tryStores({ namedStores, objectStores }: Core): ReturnType<ComputerFacts['stores']> {
  const late = new ServiceError('STORE_UNAVAILABLE', 'The store does not answer in time.');
  return Promise.all(
    (await namedStores.list()).map(async ({ id }) => {
      const tried = objectStores.test(id).then(
        () => undefined,
        (error: unknown) => error,
      );
      const error = await Promise.race([tried, pause(patience, late)]);
      if (error === undefined) return { id, problem: undefined };
      const { code, message } = error instanceof ServiceError ? error : late;
      return { id, problem: { code, message } };
    }),
  );
}
