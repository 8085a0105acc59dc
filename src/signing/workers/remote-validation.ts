/** The worker's side of a validation: everything but network and cache, which the worker asks for. */
import { hash } from 'node:crypto';
import { allowBytes, budgetFor, withBudget } from '../budget/budget.ts';
import { parseCertificate } from '../certificates/parse-certificate.ts';
import { createTrustAnchors } from '../certificates/trust/trust-anchors.ts';
import type { HttpClient } from '../http-client.ts';
import { withPdfFacts } from '../pdf/differences/with-pdf-facts.ts';
import type { RevocationCache } from '../revocation/cache/revocation-cache.ts';
import { createPathCompleter } from '../revocation/complete-path.ts';
import { createRevocationChecker } from '../revocation/revocation-checker.ts';
import { describeDamage } from '../pdf/repair/describe-damage.ts';
import { validatePdf } from '../validation/validate-pdf.ts';
import { validateWithContent } from '../validation/validate-content.ts';
import type { ValidationReport } from '../validation/validation-report.ts';
import type { ValidationServices } from '../validation/validation-request.ts';
import type { ValidationTraits } from './jobs.ts';
import type { Ask } from './remote-parts.ts';
import { asBuffer, withBuffers } from './validation-parts.ts';

/** Asks questions strictly in order, for any number of callers. */
function inTurn(ask: Ask): Ask {
  let last: Promise<unknown> = Promise.resolve();
  return (question) => {
    const answer = last.then(() => ask(question));
    last = answer.catch(() => undefined);
    return answer;
  };
}

function remoteHttp(ask: Ask): HttpClient {
  return {
    async send({ signal, ...request }) {
      signal?.throwIfAborted();
      const { body, ...response } = await ask({ kind: 'fetch', request });
      allowBytes(body.length);
      return { ...response, body: asBuffer(body) };
    },
  };
}

function remoteCache(ask: Ask): RevocationCache {
  return {
    async get(key) {
      const entry = await ask({ kind: 'cache-get', key });
      if (entry !== undefined && entry.kind !== 'failure') allowBytes(entry.der.length);
      return entry && withBuffers(entry);
    },
    async put(key, entry) {
      await ask({ kind: 'cache-put', key, entry });
    },
  };
}

/** State kept between jobs: parsed trust, and open revocation lists. */
interface Kept {
  readonly key: string;
  readonly services: ValidationServices;
}

/** A key for the services of a job: jobs with equal keys share their services. */
function keyOf({ anchors, intermediates, refused, marks, hasNetwork, hasCache }: ValidationTraits): string {
  const all = hash('sha256', Buffer.concat([...anchors, ...intermediates, ...refused]));
  const marked = [marks.homologation, marks.timeStampsOnly].map((one) => [...one].join(',')).join(' ');
  return `${anchors.length} ${refused.length} ${all} ${marked} ${String(hasNetwork)} ${String(hasCache)}`;
}

/** Runs validations in a worker, one at a time. */
export class RemoteValidation {
  readonly #ask: Ask;
  #kept: Kept | undefined;
  #now = new Date(0);

  constructor(ask: Ask) {
    this.#ask = inTurn(ask);
  }

  async run(traits: ValidationTraits, signal: AbortSignal): Promise<ValidationReport> {
    const { input, at, algorithms, unknownPolicy, now } = traits;
    this.#now = now;
    const services = this.#servicesFor(traits);
    const options = {
      at,
      signal,
      algorithms,
      unknownPolicy,
    };
    return withBudget(budgetFor(traits.size), () =>
      'path' in input
        ? validatePdf(input, services, options, withPdfFacts).catch(async (error: unknown) => {
            throw await describeDamage(input.path, input, error);
          })
        : validateWithContent(input, services, options, withPdfFacts),
    );
  }

  #servicesFor(traits: ValidationTraits): ValidationServices {
    const key = keyOf(traits);
    if (this.#kept?.key !== key) this.#kept = { key, services: this.#create(traits) };
    return this.#kept.services;
  }

  #create({ anchors, intermediates, refused, marks, hasNetwork, hasCache }: ValidationTraits): ValidationServices {
    const read = (ders: readonly Uint8Array[]) => ders.map((der) => parseCertificate(asBuffer(der)));
    const trust = createTrustAnchors(read(anchors), read(intermediates), marks, read(refused));
    const now = (): Date => this.#now;
    const sources = {
      now,
      ...(hasNetwork ? { http: remoteHttp(this.#ask) } : {}),
      ...(hasCache ? { cache: remoteCache(this.#ask) } : {}),
    };
    return {
      trust,
      now,
      revocation: createRevocationChecker(sources),
      completePath: createPathCompleter(sources),
    };
  }
}
