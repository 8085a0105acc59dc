import {
  calls,
  uiEvent,
  type CallError,
  type CallHandlers,
  type CallInput,
  type CallName,
  type CallOutput,
  type CallResult,
  type CertificateView,
  type Home,
  type ModuleView,
  type OriginalInspection,
  type TokenView,
  type UiDocument,
  type UiEvent,
  type UiTransaction,
} from '../../src/ui-contract/ui-contract.ts';
import { detectContent } from '../../src/service/transactions/documents/content-kind.ts';
import { PART_SIZE } from '../../src/service/transactions/content/content.ts';
import { letTimePass } from '../setup/waits.ts';
import type { CheckView } from '../../src/ui-contract/doctor-calls.ts';
import * as data from './fake-data.ts';
import { FakeError, rightPassword } from './fake-error.ts';
import { FakeOperation } from './fake-operation.ts';
import { FakePeople } from './fake-people.ts';
import { FakeSettings } from './fake-settings.ts';
import { FakeSites } from './fake-sites.ts';
import { FakeRenewals } from './fake-renewals.ts';
import { FakeStamps } from './fake-stamps.ts';
import { inspectionOf } from './fake-validation.ts';
import { FakeValidations } from './fake-validations.ts';

type FakeHandler<Name extends CallName> = (input: Parameters<CallHandlers[Name]>[0]) => CallOutput<Name>;
type FakeHandlers = { readonly [Name in CallName]?: FakeHandler<Name> };

export { FakeError, rightPassword };

/** A file on its way; without the id of its document, its name tells it. */
export interface UploadedFile {
  readonly id?: string;
  readonly name: string;
  readonly content: Uint8Array;
}

/** The PIN of every token. */
export const rightPin = '1234';

const rightClock = { now: '2026-03-04T12:00:00.000Z', doubted: false, ahead: null, accepted: null } as const;

/**
 * A stand-in for the core, in states that the product's core of a test (`RealCore`) does not come to, or comes to after
 * days: a token counting its attempts, expired and renewed certificates, a history of months, damaged databases,
 * failing checks, and the made-up people of the pictures. It answers the calls of those pages and throws for others.
 * Answers are checked against the real schemas.
 */
export class FakeCore {
  certificates: CertificateView[] = [...data.certificates];
  modules: ModuleView[] = [...data.modules];
  suggestions: ModuleView[] = [...data.suggestions];
  tokens: TokenView[] = [data.token];
  transactions: UiTransaction[] = [];
  readonly people = new FakePeople();
  readonly sites = new FakeSites();
  home = { ...data.home };
  /** The checks of the core. Those of the computer are in the settings. */
  health: CheckView[] = [data.check('data-folder', 'folder-works', { free: 4e10, kept: 0, awaited: 0 })];
  /** The contents of documents waiting, by the documents' names; others cannot be shown. */
  readonly originals = new Map<string, Uint8Array>();
  /** Findings of the examination of a PDF, by the document's name. Default: one page without findings. */
  readonly examinations = new Map<string, OriginalInspection['pdf']>();
  /** Calls failing, with their code. */
  readonly failures = new Map<CallName, CallError['code']>();
  /** Calls answered once this has settled, by a part of their input. */
  readonly waits = new Map<string, Promise<void>>();
  /** Whether a file manager is there. */
  canReveal = false;
  /** Milliseconds each signature takes. */
  signingTime = 20;
  readonly operation = new FakeOperation(() => this.transactions);
  readonly settings = new FakeSettings();
  readonly validations = new FakeValidations();
  readonly renewals = new FakeRenewals();
  readonly stamps = new FakeStamps(() => this.certificates);
  /** Every call with its input, in order. */
  readonly log: { readonly name: CallName; readonly input: unknown }[] = [];
  readonly #listeners = new Set<(event: UiEvent) => void>();
  /** Batches held back or given up. */
  readonly #held = new Map<string, 'paused' | 'cancelled'>();
  #nextTcn = 1;

  /** Tells every event to the listener until the answer is called. */
  onEvent(listener: (event: UiEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: UiEvent): void {
    const checked = uiEvent.parse(event);
    for (const listener of [...this.#listeners]) listener(checked);
  }

  /** A program asks for signatures. */
  ask(transaction: UiTransaction): void {
    this.#put(transaction);
  }

  /** One call as a bridge makes it. */
  call(name: CallName, input: unknown): CallResult<unknown> {
    const checked = calls[name].input.safeParse(input);
    if (!checked.success) return { ok: false, error: { code: 'INPUT_INVALID', message: checked.error.message } };
    this.log.push({ name, input: checked.data });
    const failure = this.failures.get(name);
    if (failure !== undefined) return { ok: false, error: { code: failure, message: failure } };
    try {
      const handle = this.#handlers[name] as ((input: unknown) => unknown) | undefined;
      if (handle === undefined) throw new Error(`The stand-in does not answer ${name}: use the product's core.`);
      return { ok: true, value: calls[name].output.parse(handle(checked.data)) };
    } catch (error) {
      if (error instanceof FakeError) return { ok: false, error: { code: error.code, message: error.message } };
      throw error;
    }
  }

  /** Takes files of a batch, all or none; `end` ends the batch. Answers as the upload endpoint does. */
  upload(tcn: string, files: readonly UploadedFile[], end: boolean): { readonly documents: { id: string }[] } {
    const transaction = this.#find(tcn);
    if (files.some(({ content }) => content.includes(0) && content.length === 3)) {
      throw new FakeError('DOCUMENT_NOT_A_PDF');
    }
    const open = transaction.documents.filter(({ checksum }) => checksum === null);
    const arrived = files.map(({ id, name, content }) => {
      const announced = open.find((one) => (id === undefined ? one.name === name : one.id === id));
      if (announced === undefined) throw new FakeError('DOCUMENT_NOT_ANNOUNCED');
      this.originals.set(name, content);
      return { ...announced, size: content.length, checksum: data.sha256(content) };
    });
    const documents = transaction.documents.map((one) => arrived.find(({ id }) => id === one.id) ?? one);
    this.#put({ ...transaction, documents });
    if (end) this.#endUpload(tcn);
    return { documents: arrived };
  }

  #endUpload(tcn: string): void {
    const transaction = this.#find(tcn);
    const error = { code: 'UPLOAD_INCOMPLETE', detail: 'The document was announced and the batch ended without it.' };
    const documents = transaction.documents.map((one) =>
      one.checksum === null ? { ...one, status: 'ERROR' as const, error } : one,
    );
    this.#put({ ...transaction, documents, waitingFor: 'approval' });
  }

  #find(tcn: string): UiTransaction {
    const found = this.transactions.find((one) => one.tcn === tcn);
    if (found === undefined) throw new FakeError('TRANSACTION_NOT_FOUND');
    return found;
  }

  #original(tcn: string, documentId: string): { readonly document: UiDocument; readonly content: Buffer } {
    const document = this.#find(tcn).documents.find(({ id }) => id === documentId);
    const content = this.originals.get(document?.name ?? '');
    if (document?.status !== 'WAITING' || content === undefined) throw new FakeError('NOT_FOUND');
    return { document, content: Buffer.from(content) };
  }

  #inspect(tcn: string, documentId: string): OriginalInspection {
    const { document, content } = this.#original(tcn, documentId);
    const detected = detectContent(content, content.includes(0));
    const found = {
      state: 'examined' as const,
      pageCount: 1,
      activeContent: [],
      signedFields: [],
      standards: [],
      complete: true,
    };
    const pdf = detected.kind === 'pdf' ? (this.examinations.get(document.name) ?? found) : null;
    const checksum = document.checksum ?? '';
    return { ...detected, size: content.length, checksum, partSize: PART_SIZE, pdf, password: null };
  }

  #put(transaction: UiTransaction): void {
    this.transactions = [transaction, ...this.transactions.filter((one) => one.tcn !== transaction.tcn)];
    this.emit({ name: 'transaction-changed', tcn: transaction.tcn });
  }

  #certificate(alias: string): CertificateView {
    const found = this.certificates.find((one) => one.alias === alias);
    if (found === undefined) throw new FakeError('CERTIFICATE_NOT_FOUND');
    return found;
  }

  #change(alias: string, change: Partial<CertificateView>): CertificateView {
    const changed = { ...this.#certificate(alias), ...change };
    this.certificates = this.certificates.map((one) => (one.alias === alias ? changed : one));
    this.tokens = this.tokens.map((one) => (one.label === changed.token?.label ? changed.token : one));
    this.emit({ name: 'keys-changed' });
    return changed;
  }

  async #sign(tcn: string): Promise<void> {
    const transaction = this.#find(tcn);
    if (this.#certificate(transaction.certificateAlias).locked) {
      this.#put({ ...transaction, waitingFor: 'pin' });
      return;
    }
    this.#put({ ...transaction, waitingFor: null });
    for (const document of transaction.documents.filter(({ status }) => status === 'WAITING')) {
      await letTimePass(this.signingTime);
      if (this.#held.has(tcn)) return;
      const now = this.#find(tcn);
      const documents = now.documents.map((one) => (one.id === document.id ? data.finish(one, now.type) : one));
      const finished = documents.every((one) => one.status !== 'WAITING');
      const failed = documents.some((one) => one.status === 'ERROR');
      this.#put({
        ...now,
        documents,
        status: finished ? (failed ? 'ERROR' : 'SIGNED') : 'WAITING',
        finishedAt: finished ? new Date().toISOString() : null,
      });
    }
  }

  #homeView(): Home {
    const count = (status: UiDocument['status']): number =>
      this.transactions.flatMap((one) => one.documents).filter((one) => one.status === status).length;
    return {
      ...this.home,
      certificates: this.certificates.length,
      tokens: this.tokens,
      counts: { SIGNED: count('SIGNED'), WAITING: count('WAITING'), ERROR: count('ERROR') },
      waiting: this.transactions.filter((one) => one.waitingFor === 'approval' || one.waitingFor === 'pin').reverse(),
      recent: this.transactions.slice(0, 10),
    };
  }

  #decide(tcn: string, decision: 'approve' | 'refuse'): UiTransaction {
    const transaction = this.#find(tcn);
    if (transaction.waitingFor !== 'approval') throw new FakeError('APPROVAL_NOT_WAITING');
    if (decision === 'approve') {
      void this.#sign(tcn);
      return this.#find(tcn);
    }
    return this.#refuse(transaction, 'The user refused.');
  }

  #refuse(transaction: UiTransaction, detail: string): UiTransaction {
    const error = { code: 'APPROVAL_REFUSED', detail };
    const documents = transaction.documents.map((one) =>
      one.status === 'WAITING' ? { ...one, status: 'ERROR' as const, error } : one,
    );
    const refused = { ...transaction, status: 'ERROR' as const, waitingFor: null, documents };
    this.#put(refused);
    return refused;
  }

  #unlock(alias: string, pin: string): CertificateView {
    const { token } = this.#certificate(alias);
    if (token === null) throw new FakeError('REQUEST_INVALID');
    if (token.pinAttempts === 'locked') throw new FakeError('PIN_LOCKED');
    if (pin !== rightPin && !token.pinPad) {
      const next = { normal: 'low', low: 'last', last: 'locked', locked: 'locked', unknown: 'unknown' } as const;
      this.#change(alias, { token: { ...token, pinAttempts: next[token.pinAttempts] } });
      throw new FakeError('PIN_INCORRECT');
    }
    const open = { ...token, loggedIn: true, pinAttempts: 'normal' as const };
    const unlocked = this.#change(alias, { locked: false, token: open });
    for (const one of this.transactions) if (one.waitingFor === 'pin') void this.#sign(one.tcn);
    return unlocked;
  }

  #create(
    input: Pick<CallInput<'sign.create'>, 'type' | 'digest' | 'alias' | 'place'>,
    names: readonly string[] = [],
  ): UiTransaction {
    const transaction: UiTransaction = {
      ...data.programTransaction(`ui-${this.#nextTcn++}`, []),
      requester: 'Sinete',
      requesterKind: 'user-interface',
      waitingFor: 'upload',
      type: input.type,
      digest: input.digest,
      certificateAlias: input.alias ?? 'maria-a1',
      createdAt: new Date().toISOString(),
    };
    const { place, type } = input;
    const documents = names.map((name, index) => ({
      ...data.waitingDocument(String(index), name, 0),
      size: null,
      checksum: null,
      destination: place === undefined ? null : this.settings.placeOf(place, type, name),
    }));
    this.#put({ ...transaction, documents });
    return { ...transaction, documents };
  }

  #addCertificate(certificate: CertificateView): CertificateView {
    this.certificates = [...this.certificates, { ...certificate, isDefault: this.certificates.length === 0 }];
    this.emit({ name: 'keys-changed' });
    return this.#certificate(certificate.alias);
  }

  /** The findings of the core's Doctor, derived from the state of this fake. */
  #findings(): CallOutput<'doctor.read'> {
    const names = this.suggestions.map(({ product }) => product).join(', ');
    const suggested = { repairs: [{ kind: 'open', page: 'settings' }] } as const;
    const checks = [
      ...this.health,
      ...this.settings.found,
      ...(this.operation.anchors.length > 0 ? [] : [data.check('trust-data', 'trust-none')]),
      ...(names === '' ? [] : [data.check('driver-suggested', 'driver-suggested', { name: names }, suggested)]),
    ];
    return { status: checks.some(({ outcome }) => outcome === 'problem') ? 'problem' : 'good', checks };
  }

  readonly #handlers: FakeHandlers = {
    ...this.people.handlers,
    ...this.sites.handlers,
    ...this.operation.handlers,
    ...this.settings.handlers,
    ...this.stamps.handlers,
    ...this.renewals.handlers,
    'home.read': () => this.#homeView(),
    'doctor.read': () => this.#findings(),
    'secrets.keep': () => {
      this.settings.found = this.settings.found.filter(({ id }) => id !== 'secret-place');
      this.home.secretStore = { kind: 'key-file', detail: null };
      return {};
    },
    'doctor.keepPort': () => {
      this.settings.found = this.settings.found.filter(({ id }) => id !== 'port');
      return { port: 27_171 };
    },
    'clock.read': () => rightClock,
    'clock.accept': () => rightClock,
    'approvals.decide': ({ tcn, decision }) => this.#decide(tcn, decision),
    'approvals.inspect': ({ tcn, documentId }) => this.#inspect(tcn, documentId),
    'approvals.part': ({ tcn, documentId, part }) => {
      const { content } = this.#original(tcn, documentId);
      return { content: content.subarray(part * PART_SIZE, (part + 1) * PART_SIZE).toString('base64') };
    },
    'transactions.read': ({ tcn }) => this.#find(tcn),
    'transactions.list': ({ limit }) => this.transactions.slice(0, limit),
    'certificates.list': () => this.certificates,
    'certificates.describe': ({ alias }) => data.describe(this.#certificate(alias)),
    'certificates.inspect': (input) => [
      inspectionOf('alias' in input ? this.#certificate(input.alias) : readCertificateFile(input.file)),
    ],
    'validation.run': (input) => this.validations.run(input),
    'validation.read': (input) => this.validations.read(input),
    'certificates.import': ({ file, password, label }) => {
      if (!Buffer.from(file, 'base64').toString().startsWith('PKCS12')) throw new FakeError('KEY_FILE_INVALID');
      if (password !== rightPassword) throw new FakeError('PASSWORD_INCORRECT');
      const holder = label ?? 'Ana Exemplo Importada';
      const made = { ...data.certificates[0]!, alias: 'ana', fingerprint: data.sha256('ana'), holder };
      return [this.#addCertificate(made)];
    },
    'certificates.unlock': ({ alias, pin }) => this.#unlock(alias, pin),
    'tokens.list': () => this.tokens,
    'modules.list': () => this.modules,
    'modules.suggest': () => this.suggestions,
    'modules.test': ({ path }) => data.moduleTest(path),
    'modules.add': ({ path }) => {
      const test = data.moduleTest(path);
      const product = test.library ?? path;
      this.modules = [...this.modules, { id: path, path, product, state: 'ok', problem: null, detail: null }];
      this.suggestions = this.suggestions.filter((one) => one.path !== path);
      return test;
    },
    'modules.retry': ({ id }) => {
      this.modules = this.modules.map((one) =>
        one.id === id ? { ...one, state: 'ok', problem: null, detail: null } : one,
      );
      const found = this.modules.find((one) => one.id === id);
      if (found === undefined) throw new FakeError('NOT_FOUND');
      return found;
    },
    'sign.create': (input) => {
      const names = input.files.map(({ name }) => name);
      return this.#create(input, names);
    },
    'sign.end': ({ tcn }) => {
      this.#endUpload(tcn);
      return {};
    },
    'sign.pause': ({ tcn, paused }) => {
      if (paused) this.#held.set(tcn, 'paused');
      else this.#held.delete(tcn);
      if (!paused) void this.#sign(tcn);
      return {};
    },
    'results.content': ({ tcn, documentId }) => {
      const document = this.#find(tcn).documents.find(({ id }) => id === documentId);
      return { name: document?.resultName ?? '', data: Buffer.from('%PDF-1.7 signed').toString('base64') };
    },
    'results.reveal': ({ tcn }) => ({ opened: this.canReveal, path: `/home/maria/.local/share/sinete/${tcn}` }),
  };
}

/** A file of certificates here is its beginning; anything else holds none. */
function readCertificateFile(file: string): CertificateView {
  if (!Buffer.from(file, 'base64').toString().startsWith('-----BEGIN')) throw new FakeError('CERTIFICATE_NOT_VALID');
  return data.certificates[2]!;
}

/** An error as the HTTP layer words it (RFC 9457). */
export function problemOf(error: CallError): Record<string, unknown> {
  return { type: `/problems/${error.code}`, title: error.code, code: error.code, detail: error.message };
}
