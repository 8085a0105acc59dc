/** Signatures whose evidence comes later: the result given out meanwhile, its replacement, and the end of the wait. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CreateTransaction, DocumentView, TransactionView } from '../../../src/service/transactions/index.ts';
import { ServiceError } from '../../../src/service/errors/index.ts';
import type { ObjectAddress, ObjectFile, ObjectPlace, ObjectStores } from '../../../src/service/stores/index.ts';
import { verifyPdf } from '../../../src/signing/index.ts';
import { runTool } from '../../oracles/run-program.ts';
import { MasterKeySealer } from '../../../src/storage/index.ts';
import { until } from '../../setup/waits.ts';
import { buildPdf, onePage } from '../../signing/pdf/build-pdf.ts';
import { codesOf, onlySignature, SIGNED_AT, ValidationWorld } from '../../signing/validation/validation-world.ts';
import { freezeList, laterEvidence, pass as passIn, publishList as publishListOf } from './later-evidence.ts';
import { createRequest, dataUrl, bytesOf, openWorld, requester, viewWhen, type World } from './transaction-world.ts';

const MINUTE = 60_000;
const DOCUMENT = 'A contract that needs evidence.'.repeat(10);

let pki: ValidationWorld;
let world: World;

const overrides = () => laterEvidence(pki);
const pass = (minutes: number): void => passIn(pki, minutes);
const publishList = (): void => publishListOf(pki);

beforeEach(async () => {
  pki = await ValidationWorld.open();
  world = await openWorld(overrides());
  await world.addKey(await pki.person());
  await world.transactions.resume();
  freezeList(pki);
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
  const signature = bytesOf(await world.transactions.result(tcn, '0'));
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

  it('fails with EVIDENCE_UNAVAILABLE after too long a wait', async () => {
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
    expect(kept.pendingError).toMatchObject({ code: 'CERTIFICATE_REVOKED' });
    expect((await judged(tcn, DOCUMENT)).level).toBe('B-T');
  });

  it('can be cancelled during the wait', async () => {
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
    expect(bytesOf(await world.transactions.result(tcn, '0')).length).toBeGreaterThan(0);
    publishList();
    const { lifetime } = await when(tcn, ({ revision }) => revision === 1);
    expect(lifetime).toBeGreaterThan(0);
  });
});

describe('a file of the user with pending evidence', () => {
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

  it('is left alone when changed by somebody else', async () => {
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

/** A page claiming PDF/UA-1, with a structure open to new fields, but for fields behind a certification. */
const accessible = buildPdf(
  onePage({
    1: '<</Type /Catalog /Pages 2 0 R /Metadata 30 0 R /MarkInfo <</Marked true>> /StructTreeRoot 20 0 R>>',
    20: '<</Type /StructTreeRoot /K 21 0 R /ParentTree 23 0 R /ParentTreeNextKey 1>>',
    21: '<</Type /StructElem /S /Document /P 20 0 R /K []>>',
    23: '<</Nums []>>',
    30: { dictionary: '/Type /Metadata /Subtype /XML', data: '<pdfuaid:part>1</pdfuaid:part>' },
  }),
);
const certified = { id: 'default', certify: 'no-changes' } as const;

describe('the extension of a certified PDF claiming PDF/UA', () => {
  const signPdf = (request: Partial<CreateTransaction>): Promise<TransactionView> => {
    const documents = [{ data: dataUrl(accessible, 'application/pdf') }];
    return sign({ type: 'PAdES', documents, settings: [certified], ...request });
  };

  it.each(['later', 'wait'] as const)(
    'ends no standard, so that the result has no warning, with evidence %s',
    async (wish) => {
      const { tcn } = await signPdf({ evidence: wish });
      await when(tcn, ({ pendingLevel }) => pendingLevel === 'B-LTA');
      expect((await viewOf(tcn)).warnings).toEqual([]);
      publishList();
      const { warnings } = await when(tcn, ({ status, pendingLevel }) => status === 'SIGNED' && pendingLevel === null);
      expect(warnings).toEqual([]);
      world = await world.restart(overrides());
      expect((await viewOf(tcn)).warnings).toEqual([]);
    },
  );

  it('replaces a file of the user once, also by the process after a kill between the file and its row', async () => {
    const source = join(world.home, 'accessible.pdf');
    writeFileSync(source, accessible);
    const path = { documentsSource: 'FILE_PATH', documents: [{ data: source }], destination: 'BESIDE_SOURCE' } as const;
    const { tcn } = await signPdf(path);
    const { resultPath } = await when(tcn, ({ status }) => status === 'SIGNED');
    const { transactions } = world.storage;
    const apply = transactions.apply.bind(transactions);
    let isKilled = false;
    transactions.apply = async (changes, at) => {
      isKilled ||= changes.some(({ kind }) => kind === 'result-extended');
      if (isKilled) throw new Error('killed');
      return apply(changes, at);
    };
    publishList();
    await until(() => isKilled, 'the extended file has its name');
    const extended = readFileSync(resultPath ?? '');
    world = await world.restart(overrides());
    await world.transactions.resume();
    const { warnings } = await when(tcn, ({ revision }) => revision === 1);
    expect(warnings).toEqual([]);
    expect(readFileSync(resultPath ?? '')).toEqual(extended);
  });

  it('reaches its level where the request keeps the standard', async () => {
    const { tcn } = await signPdf({ settings: [{ ...certified, keepStandard: true }] });
    await when(tcn, ({ status }) => status === 'SIGNED');
    publishList();
    const extended = await when(tcn, ({ status, pendingLevel }) => status === 'SIGNED' && pendingLevel === null);
    expect(extended).toMatchObject({ level: 'B-LTA', warnings: [], pendingError: null });
  });
});

describe('a damaged PDF waiting for its evidence', () => {
  it('keeps the list of its repairs over the wait and a restart', async () => {
    const damaged = buildPdf(onePage()).toString('latin1').replace('startxref', 'startxxxx');
    const documents = [{ data: dataUrl(Buffer.from(damaged, 'latin1'), 'application/pdf') }];
    const { tcn } = await sign({ type: 'PAdES', evidence: 'wait', autoFixDocument: true, documents });
    await viewWhen(world.transactions, tcn, ({ waitingFor }) => waitingFor === 'evidence');
    world = await world.restart(overrides());
    await world.transactions.resume();
    publishList();
    const { repairs } = await when(tcn, ({ status }) => status === 'SIGNED');
    expect(repairs.length).toBeGreaterThan(0);
  });
});

describe('an encrypted PDF with pending evidence', () => {
  const password = 'senha do contrato';
  let encrypted: Buffer;
  beforeEach(async () => {
    const [plain, path] = [join(world.home, 'plain.pdf'), join(world.home, 'encrypted.pdf')];
    writeFileSync(plain, buildPdf(onePage()));
    await runTool('qpdf', ['--encrypt', password, password, '256', '--', plain, path]);
    encrypted = readFileSync(path);
  });
  const signEncrypted = (request: Partial<CreateTransaction> = {}): Promise<TransactionView> =>
    sign({ type: 'PAdES', documents: [{ data: dataUrl(encrypted, 'application/pdf') }], password, ...request });

  it('is extended with its password while the instance runs', async () => {
    const { tcn } = await signEncrypted();
    await when(tcn, ({ status }) => status === 'SIGNED');
    publishList();
    await when(tcn, ({ revision }) => revision === 1);
    const path = join(world.home, 'result.pdf');
    writeFileSync(path, bytesOf(await world.transactions.result(tcn, '0')));
    const { signatures } = await verifyPdf(path, { password });
    expect(signatures.map(({ outcome }) => outcome)).toEqual(['intact', 'intact']);
  });

  const kept = async (): Promise<unknown> => world.storage.settings.read('signing.passwords');

  it.each(['later', 'wait'] as const)(
    'is extended after a restart, with evidence %s: its password was sealed, and is erased then',
    async (wish) => {
      const { tcn } = await signEncrypted({ evidence: wish });
      await when(tcn, ({ pendingLevel }) => pendingLevel === 'B-LTA');
      expect(await kept()).toEqual([{ id: tcn, sealed: expect.any(String) as string }]);
      expect(Buffer.from(JSON.stringify(await kept())).includes(password)).toBe(false);
      world = await world.restart(overrides());
      await world.transactions.resume();
      publishList();
      const extended = await when(tcn, ({ status, pendingLevel }) => status === 'SIGNED' && pendingLevel === null);
      expect(extended).toMatchObject({ level: 'B-LTA', pendingError: null });
      await until(async () => (await kept()) === undefined, 'the password is erased');
    },
  );

  it('leaves no password when cancelled, nor when its transaction is gone', async () => {
    const { tcn } = await signEncrypted({ evidence: 'wait' });
    await viewWhen(world.transactions, tcn, ({ waitingFor }) => waitingFor === 'evidence');
    await world.transactions.cancel(tcn);
    expect(await kept()).toBeUndefined();
    await world.storage.settings.write('signing.passwords', [{ id: 'gone', sealed: 'AAAA' }]);
    world = await world.restart(overrides());
    await world.transactions.resume();
    await until(async () => (await kept()) === undefined, 'the password of nothing is erased');
  });

  it('keeps its B-T, and says why, when the kept password cannot be opened', async () => {
    const { tcn } = await signEncrypted();
    await when(tcn, ({ status }) => status === 'SIGNED');
    const before = bytesOf(await world.transactions.result(tcn, '0'));
    const sealer = new MasterKeySealer({ getMasterKey: async () => Promise.resolve(Buffer.alloc(32, 8)) });
    world = await world.restart({ ...overrides(), sealer });
    await world.transactions.resume();
    publishList();
    const kept = await when(tcn, ({ pendingError }) => pendingError !== null);
    expect(kept).toMatchObject({ status: 'SIGNED', level: 'B-T', pendingError: { code: 'DOCUMENT_ENCRYPTED' } });
    expect(bytesOf(await world.transactions.result(tcn, '0'))).toEqual(before);
  });
});

describe('a result for an object store with pending evidence', () => {
  const signToStore = async (request: Partial<CreateTransaction> = {}): Promise<string> => {
    world = await world.restart({ ...overrides(), objects });
    await world.transactions.resume();
    const documents = [{ data: dataUrl(DOCUMENT), destinationFileName: 'contract.p7s' }];
    const { tcn } = await sign({ destination: 'STORE_A_S3', documents, ...request });
    return tcn;
  };
  let objects: MemoryObjects;
  beforeEach(() => {
    objects = new MemoryObjects();
  });

  it.each(['later', 'wait'] as const)('waits, and is written once, extended, with evidence %s', async (wish) => {
    const tcn = await signToStore({ evidence: wish });
    const waiting = await viewWhen(world.transactions, tcn, ({ waitingFor }) => waitingFor === 'evidence');
    expect(documentOf(waiting)).toMatchObject({ status: 'WAITING', pendingLevel: 'B-LTA' });
    expect(objects.writes).toEqual([]);
    publishList();
    const signed = await when(tcn, ({ status }) => status === 'SIGNED');
    expect(signed).toMatchObject({ level: 'B-LTA', pendingLevel: null, resultPath: 's3://papers/contract.p7s' });
    expect(objects.writes).toEqual(['contract.p7s']);
    const more = { offline: true, content: Buffer.from(DOCUMENT) };
    const report = onlySignature(await pki.validate(objects.kept.get('contract.p7s') ?? Buffer.alloc(0), more));
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', levelProven: 'B-LTA' });
    await until(() => results().length === 0, 'nothing is kept here');
  });

  it('goes there at B-T when nobody wished to wait and the data does not come', async () => {
    const tcn = await signToStore({ evidence: 'later' });
    await viewWhen(world.transactions, tcn, ({ waitingFor }) => waitingFor === 'evidence');
    pass(25 * 60);
    const signed = await when(tcn, ({ pendingError }) => pendingError !== null);
    expect(signed).toMatchObject({ status: 'SIGNED', level: 'B-T', pendingError: { code: 'EVIDENCE_UNAVAILABLE' } });
    expect(objects.writes).toEqual(['contract.p7s']);
    await until(() => results().length === 0, 'nothing is kept here');
  });

  it.each(['later', 'wait'] as const)(
    'is tried again while the store is out of reach, with evidence %s',
    async (wish) => {
      const tcn = await signToStore({ evidence: wish });
      await viewWhen(world.transactions, tcn, ({ waitingFor }) => waitingFor === 'evidence');
      objects.failures = 2;
      publishList();
      await until(() => objects.failures === 1, 'the first attempt failed');
      expect(await viewOf(tcn)).toMatchObject({ status: 'WAITING', pendingLevel: 'B-LTA' });
      pass(15);
      await until(() => objects.failures === 0, 'the second attempt failed');
      world = await world.restart({ ...overrides(), objects });
      await world.transactions.resume();
      pass(15);
      expect(await when(tcn, ({ status }) => status !== 'WAITING')).toMatchObject({ status: 'SIGNED', level: 'B-LTA' });
      expect(objects.writes).toEqual(['contract.p7s']);
      await until(() => results().length === 0, 'nothing is kept here');
    },
  );

  it('goes there at B-T later, when the store is out of reach at the end of the wait', async () => {
    const tcn = await signToStore({ evidence: 'later' });
    await viewWhen(world.transactions, tcn, ({ waitingFor }) => waitingFor === 'evidence');
    objects.failures = 1;
    pass(25 * 60);
    await until(() => objects.failures === 0, 'the first attempt failed');
    pass(15);
    const signed = await when(tcn, ({ pendingError }) => pendingError !== null);
    expect(signed).toMatchObject({ status: 'SIGNED', level: 'B-T', pendingError: { code: 'EVIDENCE_UNAVAILABLE' } });
    expect(objects.writes).toEqual(['contract.p7s']);
  });

  it('is told as the fault of the store when the store stays away for good', async () => {
    const tcn = await signToStore({ evidence: 'wait' });
    await viewWhen(world.transactions, tcn, ({ waitingFor }) => waitingFor === 'evidence');
    objects.failures = Infinity;
    pass(91 * 24 * 60);
    publishList();
    const { error } = await when(tcn, ({ status }) => status === 'ERROR');
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});

/** An object store in memory. */
class MemoryObjects implements ObjectStores {
  readonly kept = new Map<string, Buffer>();
  /** The keys in the order of complete writes. */
  readonly writes: string[] = [];
  /** Writes failing before others succeed. */
  failures = 0;

  readonly expectConfigured = async (): Promise<void> => Promise.resolve();
  readonly expectFree = async (): Promise<void> => Promise.resolve();
  readonly defaultPlace = async (): Promise<ObjectPlace> =>
    Promise.resolve({ kind: 's3', bucket: 'papers', prefix: '' });

  async read(): Promise<never> {
    return Promise.reject(new ServiceError('DOCUMENT_UNREADABLE', 'Nothing is read here.'));
  }

  async write({ key }: ObjectAddress, { path }: ObjectFile): Promise<void> {
    if (this.failures > 0) {
      this.failures -= 1;
      return Promise.reject(new ServiceError('STORE_UNAVAILABLE', 'The store does not answer.'));
    }
    this.kept.set(key, readFileSync(path));
    this.writes.push(key);
    return Promise.resolve();
  }

  async holds({ key }: ObjectAddress, size: number): Promise<boolean> {
    return Promise.resolve(this.kept.get(key)?.length === size);
  }
}

/** The clock stands at the signature: a quarter of an hour after the first list. */
const SIGNED_LATER = (): Date => new Date(SIGNED_AT.getTime() + 15 * MINUTE);
