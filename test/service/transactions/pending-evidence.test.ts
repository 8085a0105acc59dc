/** Signatures whose evidence comes later: what is given out meanwhile, what replaces it, and what ends the wait. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noEvidence } from '../../../src/service/transactions/choices/choose-policy.ts';
import type {
  CreateTransaction,
  DocumentView,
  SignatureEvidence,
  TransactionView,
} from '../../../src/service/transactions/index.ts';
import { until } from '../../setup/waits.ts';
import { buildPdf, onePage } from '../../signing/pdf/build-pdf.ts';
import {
  codesOf,
  CRL_URL,
  onlySignature,
  SIGNED_AT,
  ValidationWorld,
} from '../../signing/validation/validation-world.ts';
import { createRequest, dataUrl, octetsOf, openWorld, requester, viewWhen, type World } from './transaction-world.ts';

const MINUTE = 60_000;
const DOCUMENT = 'A contract that needs evidence.'.repeat(10);

let pki: ValidationWorld;
let world: World;

const evidence = (): SignatureEvidence => ({
  ...noEvidence,
  timestampServers: () => Promise.resolve(['test']),
  timestamper: () => Promise.resolve(pki.timestamper),
  collector: pki.collectorWith(pki.cache),
});

const overrides = () => ({
  evidence: evidence(),
  now: () => pki.now,

  limits: { evidenceRetry: 1, evidenceSleep: 10, smallDocumentSize: -1 },
});

/** The list of the issuer stays that of the beginning; a quarter of an hour passes. */
function freezeList(): void {
  const early = pki.crl('issuing');
  pki.http.answers = { ...pki.http.answers, [CRL_URL]: () => early };
  pass(15);
}

/** The next list is published. */
function publishList(): void {
  pki.http.answers = { ...pki.http.answers, [CRL_URL]: () => pki.crl('issuing') };
  pass(15);
}

function pass(minutes: number): void {
  pki.now = new Date(pki.now.getTime() + minutes * MINUTE);
}

beforeEach(async () => {
  pki = await ValidationWorld.open();
  world = await openWorld(overrides());
  await world.addKey(await pki.person());
  await world.transactions.resume();
  freezeList();
});
afterEach(() => world.end());

const sign = (request: Partial<CreateTransaction>): Promise<TransactionView> =>
  world.transactions.create(
    createRequest({
      documentsSource: 'DATA_URL',
      type: 'CAdES-detached',
      policy: 'B-LTA',
      documents: [{ data: dataUrl(DOCUMENT) }],
      ...request,
    }),
    requester,
  );

const documentOf = ({ documents }: TransactionView): DocumentView => {
  const [document] = documents;
  if (document === undefined) throw new Error('No document.');
  return document;
};

const viewOf = async (tcn: string): Promise<DocumentView> => documentOf(await world.transactions.query(tcn));

const when = async (tcn: string, wanted: (document: DocumentView) => boolean): Promise<DocumentView> => {
  await until(async () => wanted(await viewOf(tcn)), String(wanted));
  return viewOf(tcn);
};

const results = (): string[] => readdirSync(join(world.folder, 'results'));

async function judged(tcn: string, content?: string) {
  const signature = octetsOf(await world.transactions.result(tcn, '0'));
  const more = content === undefined ? {} : { content: Buffer.from(content) };
  return onlySignature(await pki.validate(signature, { offline: true, ...more }));
}

describe('a B-LTA where the newest list is older than the signature', () => {
  it('is SIGNED at B-T, and replaced once by the extended signature after the next list', async () => {
    const { tcn } = await sign({ evidence: 'later' });
    const first = await when(tcn, ({ status }) => status === 'SIGNED');
    expect(first).toMatchObject({ level: 'B-T', pendingLevel: 'B-LTA', revision: 0, lifetime: null });
    const before = await world.transactions.result(tcn, '0');
    expect(await judged(tcn, DOCUMENT)).toMatchObject({ level: 'B-T' });

    publishList();
    const second = await when(tcn, ({ pendingLevel }) => pendingLevel === null);
    expect(second).toMatchObject({ level: 'B-LTA', pendingError: null, revision: 1 });
    expect(second.lifetime).toBeGreaterThan(0);
    const after = await world.transactions.result(tcn, '0');
    expect(after.checksum).not.toBe(before.checksum);
    const report = await judged(tcn, DOCUMENT);
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', level: 'B-LTA', levelProven: 'B-LTA' });
    expect(codesOf(report)).not.toContain('REVOCATION_OLDER_THAN_SIGNATURE');
    await until(() => readdirSync(join(world.folder, 'documents')).length === 0, 'the original is removed');
  });

  it('waits, keeps its signature over a restart, and is SIGNED after the next list', async () => {
    const { tcn } = await sign({ evidence: 'wait' });
    const waiting = await viewWhen(world.transactions, tcn, ({ waitingFor }) => waitingFor === 'evidence');
    expect(documentOf(waiting)).toMatchObject({ status: 'WAITING', pendingLevel: 'B-LTA', level: null });
    await expect(world.transactions.result(tcn, '0')).rejects.toMatchObject({ code: 'NOT_SIGNED_YET' });
    const [kept] = readdirSync(join(world.folder, 'results'));
    const stamped = readFileSync(join(world.folder, 'results', kept ?? ''));

    world = await world.restart(overrides());
    await world.transactions.resume();
    expect(readFileSync(join(world.folder, 'results', kept ?? ''))).toEqual(stamped);
    publishList();
    await when(tcn, ({ status }) => status === 'SIGNED');
    const report = await judged(tcn, DOCUMENT);
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', levelProven: 'B-LTA', provenTime: SIGNED_LATER() });
    await until(() => results().length === 1, 'only the result is kept');
  });

  it('fails with EVIDENCE_UNAVAILABLE when it waited too long', async () => {
    const { tcn } = await sign({ evidence: 'wait' });
    await viewWhen(world.transactions, tcn, ({ waitingFor }) => waitingFor === 'evidence');
    pass(25 * 60);
    const failed = await when(tcn, ({ status }) => status === 'ERROR');
    expect(failed.error).toMatchObject({ code: 'EVIDENCE_UNAVAILABLE' });
    expect(failed.error?.detail).toContain('older than the signature');
    await until(() => results().length === 0, 'the kept signature is removed');
  });

  it('keeps its B-T, and says why, when the certificate was revoked meanwhile', async () => {
    const person = await pki.person();
    await world.addKey(person);
    const { certificateAlias } = { certificateAlias: (await world.keys.list()).at(-1)?.alias ?? '' };
    const { tcn } = await sign({ certificateAlias });
    await when(tcn, ({ status }) => status === 'SIGNED');
    pki.revoke(person, new Date(pki.now.getTime() - MINUTE));
    publishList();
    const kept = await when(tcn, ({ pendingError }) => pendingError !== null);
    expect(kept).toMatchObject({ status: 'SIGNED', level: 'B-T', pendingLevel: null, revision: 0 });
    expect(kept.pendingError).toMatchObject({ code: 'CERTIFICATE_NOT_VALID' });
    expect((await judged(tcn, DOCUMENT)).level).toBe('B-T');
  });

  it('can be cancelled while it waits', async () => {
    const { tcn } = await sign({ evidence: 'wait' });
    await viewWhen(world.transactions, tcn, ({ waitingFor }) => waitingFor === 'evidence');
    await world.transactions.cancel(tcn);
    const { error } = await when(tcn, ({ status }) => status === 'ERROR');
    expect(error).toMatchObject({ code: 'CANCELLED' });
  });

  it('is not erased while its evidence is pending', async () => {
    const { tcn } = await sign({});
    await when(tcn, ({ status }) => status === 'SIGNED');
    pass(20 * 60);
    world = await world.restart(overrides());
    await world.transactions.resume();
    expect(octetsOf(await world.transactions.result(tcn, '0')).length).toBeGreaterThan(0);
    publishList();
    const { lifetime } = await when(tcn, ({ revision }) => revision === 1);
    expect(lifetime).toBeGreaterThan(0);
  });
});

describe('a file of the user whose evidence is pending', () => {
  const pdf = buildPdf(onePage());
  let source: string;
  beforeEach(() => {
    mkdirSync(join(world.home, 'papers'));
    source = join(world.home, 'papers', 'contract.pdf');
    writeFileSync(source, pdf);
  });
  const signFile = (): Promise<TransactionView> =>
    sign({ type: 'PAdES', documentsSource: 'FILE_PATH', documents: [{ data: source }], destination: 'BESIDE_SOURCE' });

  it('is replaced in its place, and nothing else is left in the folder', async () => {
    const { tcn } = await signFile();
    const { resultPath } = await when(tcn, ({ status }) => status === 'SIGNED');
    const before = readFileSync(resultPath ?? '');
    publishList();
    await when(tcn, ({ revision }) => revision === 1);
    const after = readFileSync(resultPath ?? '');
    expect(after.subarray(0, before.length)).toEqual(before);
    expect(after.length).toBeGreaterThan(before.length);
    expect(readdirSync(join(world.home, 'papers'))).toEqual(['contract-signed.pdf', 'contract.pdf']);
  });

  it('is left alone when it was changed by somebody else', async () => {
    const { tcn } = await signFile();
    const { resultPath } = await when(tcn, ({ status }) => status === 'SIGNED');
    writeFileSync(resultPath ?? '', 'mine now');
    publishList();
    const { pendingError } = await when(tcn, (document) => document.pendingError !== null);
    expect(pendingError?.detail).toContain('moved or changed');
    expect(readFileSync(resultPath ?? '', 'utf8')).toBe('mine now');
    expect(readdirSync(join(world.home, 'papers'))).toEqual(['contract-signed.pdf', 'contract.pdf']);
  });
});

/** The clock stands at the signature: a quarter of an hour after the first list. */
const SIGNED_LATER = (): Date => new Date(SIGNED_AT.getTime() + 15 * MINUTE);
