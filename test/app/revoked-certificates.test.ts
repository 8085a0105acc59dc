/** An instance with the fetched list of a revoked certificate: the words of its lists and its signatures. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildUiCalls } from '../../src/app/calls/ui-calls.ts';
import { openCore, requesters, type Core } from '../../src/app/compose/open-core.ts';
import { readConfiguration } from '../../src/app/config/config.ts';
import { createRevocationChecker, parseCertificate } from '../../src/signing/index.ts';
import { writePkcs12, type TestIdentity } from '../../src/test-authority/index.ts';
import type { CallHandlers, UiTransaction } from '../../src/ui-contract/ui-contract.ts';
import { ValidationWorld } from '../signing/validation/validation-world.ts';
import { makeWorkplace, runSinete, type Workplace } from './run-sinete.ts';

const DAY = 24 * 60 * 60 * 1000;

let place: Workplace;
let pki: ValidationWorld;
let person: TestIdentity;
/** Whole seconds, as in lists. */
let revokedAt: Date;

beforeEach(async () => {
  place = await makeWorkplace();
  pki = await ValidationWorld.open();
  const now = Date.now();
  pki.now = new Date(now);
  revokedAt = new Date(Math.floor((now - DAY) / 1000) * 1000);
  person = await pki.person({ notBefore: new Date(now - 10 * DAY), notAfter: new Date(now + 100 * DAY) });
  pki.revoke(person, revokedAt);
});
afterEach(async () => place.remove());

async function withCore<Value>(
  settings: Readonly<Record<string, string>>,
  use: (calls: CallHandlers, core: Core) => Promise<Value>,
): Promise<Value> {
  const dataFolder = place.data;
  const environment = { ...place.environment, ...settings };
  const configuration = await readConfiguration({ dataFolder, environment });
  const core = await openCore({ dataFolder, configuration });
  try {
    return await use(
      buildUiCalls(core, requesters['command-line'], () => ''),
      core,
    );
  } finally {
    await core.close();
  }
}

/** Imports the root and the key. */
async function begin(calls: CallHandlers): Promise<void> {
  const { der, fingerprint } = parseCertificate(pki.authority.root.certificate);
  await calls['trust.import']({ file: der.toString('base64'), fingerprint, isTest: true });
  const file = await writePkcs12(person, 'secret');
  await calls['certificates.import']({ file: file.toString('base64'), password: 'secret' });
}

/** Fetches the list of the person's issuer into the cache of the instance, as a validation does. */
async function fetchList({ storage: { revocationCache: cache } }: Core): Promise<void> {
  const [certificate, issuer] = [person.certificate, ...person.chain].map(parseCertificate);
  if (certificate === undefined || issuer === undefined) throw new Error('The person has no issuer.');
  const found = await createRevocationChecker({ http: pki.http, cache }).check({ certificate, issuer, at: new Date() });
  expect(found.status).toBe('revoked');
}

/** Signs a text with the only key, and answers its document. */
async function sign(calls: CallHandlers, core: Core): Promise<UiTransaction['documents'][number] | undefined> {
  const path = join(place.folder, 'contract.txt');
  await writeFile(path, 'contract');
  const { tcn } = await calls['sign.paths']({
    type: 'CAdES-detached',
    digest: 'sha256',
    files: [{ path, destination: `${path}.p7s` }],
  });
  await calls['approvals.decide']({ tcn, decision: 'approve' });
  for (let round = 0; round < 20; round++) {
    const { finishedAt } = await core.transactions.query(tcn, { waitSeconds: 1 });
    if (finishedAt !== null) break;
  }
  return (await calls['transactions.read']({ tcn })).documents[0];
}

describe('a certificate with its revocation in the cache', () => {
  it('is listed as revoked by every list, and signs with a warning', async () => {
    await withCore({}, async (calls, core) => {
      await begin(calls);
      expect((await calls['certificates.list']({})).map(({ revocation }) => revocation)).toEqual([undefined]);
      await fetchList(core);
      const known = { since: revokedAt.toISOString(), isSuspension: false };
      const [listed] = await calls['certificates.list']({});
      expect(listed).toMatchObject({ validity: 'valid', revocation: known });
      expect(await calls['certificates.describe']({ alias: listed?.alias ?? '' })).toMatchObject({ revocation: known });
      const document = await sign(calls, core);
      expect([document?.status, document?.warnings.map(({ code }) => code)]).toEqual([
        'SIGNED',
        ['CERTIFICATE_REVOKED'],
      ]);
    });
    const { stdout } = await runSinete(place, ['certificates', 'list']);
    expect(stdout).toContain(`revoked since ${revokedAt.toISOString().slice(0, 10)}`);
  });

  it('does not sign where signing.refuse_revoked is true', async () => {
    const document = await withCore({ SINETE_SIGNING_REFUSE_REVOKED: 'true' }, async (calls, core) => {
      await begin(calls);
      await fetchList(core);
      return sign(calls, core);
    });
    expect(document).toMatchObject({ status: 'ERROR', error: { code: 'CERTIFICATE_REVOKED' } });
  });
});
