import type { HistoryDocument } from '../../src/ui-contract/history-calls.ts';
import type {
  CallHandlers,
  CallName,
  CallOutput,
  TrustView,
  UiTransaction,
} from '../../src/ui-contract/ui-contract.ts';
import { inDays, sha256, timestampServers } from './fake-data.ts';
import { FakeError } from './fake-error.ts';

type OperationCall = Extract<
  CallName,
  `tsa.${string}` | `trust.${string}` | `testServices.${string}` | `history.${string}`
>;
type Handlers = { [Name in OperationCall]?: (input: Parameters<CallHandlers[Name]>[0]) => CallOutput<Name> };
type HistoryInput = Parameters<CallHandlers['history.summary']>[0];

const root: TrustView['anchors'][number] = {
  name: 'Autoridade Certificadora Raiz Brasileira v10',
  fingerprint: sha256('root-10'),
  hierarchy: 'ICP-Brasil',
  notAfter: inDays(1900),
  timeStampsOnly: false,
  isRemovable: true,
};

const authority: TrustView['refused'][number] = {
  name: 'AC Exemplo',
  issuer: root.name,
  fingerprint: 'cd'.repeat(32),
  notAfter: root.notAfter,
};

const signer = { name: 'Maria Silva', number: '***.982.247-**' } as const;

/** Each document by itself, as the core finds it. */
function documentsOf(
  transactions: readonly UiTransaction[],
  { text = '', status, type, from, before }: Omit<HistoryInput, 'minutesAhead'>,
): HistoryDocument[] {
  const words = text.toLowerCase().split(/\s+/);
  return transactions
    .filter((one) => type === undefined || one.type === type)
    .filter(
      ({ createdAt }) => (from === undefined || createdAt >= from) && (before === undefined || createdAt < before),
    )
    .flatMap((one) => one.documents.map((document) => ({ ...one, document, batch: one.documents.length, signer })))
    .filter(({ document }) => status === undefined || document.status === status)
    .filter(({ document, requester, tcn, certificateAlias }) => {
      const told =
        `${signer.name} ${document.name} ${document.resultPath} ${requester} ${tcn} ${certificateAlias}`.toLowerCase();
      return words.every((word) => told.includes(word) || document.resultChecksum?.startsWith(word) === true);
    });
}

/** Time-stamp servers, trust, test services and history, in memory. */
export class FakeOperation {
  timestampServers = [...timestampServers];
  anchors: TrustView['anchors'] = [
    root,
    { ...root, name: 'Raiz de Teste', fingerprint: sha256('t'), hierarchy: 'test', isRemovable: false },
  ];
  /** Trust data that has expired, or expires soon, in each language. */
  staleTrust: readonly Readonly<Record<'pt-BR' | 'en', string>>[] = [];
  /** The present state of the files of results. */
  presence: 'there' | 'changed' | 'missing' = 'there';
  /** How many documents a search counts. */
  mostCounted = Number.POSITIVE_INFINITY;
  /** Opens the signed files; null: they need no password. */
  filePassword: string | null = null;
  readonly #transactions: () => readonly UiTransaction[];

  constructor(transactions: () => readonly UiTransaction[]) {
    this.#transactions = transactions;
  }

  #matching(filter: Omit<HistoryInput, 'minutesAhead'>): readonly UiTransaction[] {
    const { text, status, type, from, before } = filter;
    const wanted = text?.toLowerCase() ?? '';
    return this.#transactions().filter(
      (one) =>
        [one.requester, one.tcn, one.certificateAlias, ...one.documents.map(({ name }) => name)].some((part) =>
          part.toLowerCase().includes(wanted),
        ) &&
        (status === undefined || one.status === status) &&
        (type === undefined || one.type === type) &&
        (from === undefined || one.createdAt >= from) &&
        (before === undefined || one.createdAt < before),
    );
  }

  readonly handlers: Handlers = {
    'tsa.list': () => this.timestampServers,
    'trust.list': ({ language = 'en', authorities = false }) => ({
      anchors: this.anchors,
      intermediates: 143,
      ...(authorities ? { authorities: [authority] } : {}),
      refused: [],
      stale: this.staleTrust.map((sentences) => sentences[language]),
    }),
    'trust.update': () => {
      this.anchors = [root, ...this.anchors.filter((one) => one.fingerprint !== root.fingerprint)];
      return { anchors: [root], intermediates: 143, policies: ['LPA_CAdES.der'], skipped: [] };
    },
    'history.list': ({ offset, limit, ...filter }) => {
      const found = this.#matching(filter);
      return { total: found.length, transactions: found.slice(offset, offset + limit) };
    },
    'history.documents': ({ offset, limit, ...filter }) => {
      const found = documentsOf(this.#transactions(), filter);
      const total = Math.min(found.length, this.mostCounted);
      return { total, more: found.length > total, documents: found.slice(offset, offset + limit) };
    },
    'history.presence': ({ tcn, documentId }) => {
      const document = this.#transactions()
        .find((one) => one.tcn === tcn)
        ?.documents.find(({ id }) => id === documentId);
      if (document?.status !== 'SIGNED') return { state: 'not-signed' };
      if (document.lifetime === 0) return { state: 'erased' };
      return { state: document.resultPath === null ? 'kept' : this.presence };
    },
    'history.extend': ({ tcn, documentId, level, place, password }) => {
      const document = this.#transactions()
        .find((one) => one.tcn === tcn)
        ?.documents.find(({ id }) => id === documentId);
      if (document?.resultPath == null) throw new FakeError('REQUEST_INVALID');
      if (this.filePassword !== null && password === undefined) throw new FakeError('DOCUMENT_ENCRYPTED');
      if (this.filePassword !== null && password !== this.filePassword) throw new FakeError('PASSWORD_INCORRECT');
      const path = place === 'replace' ? document.resultPath : document.resultPath.replace('.pdf', `-${level}.pdf`);
      Object.assign(document, { resultPath: path, destination: path, revision: (document.revision ?? 0) + 1 });
      return { path, size: 1, warnings: [] };
    },
    'history.summary': ({ minutesAhead, ...filter }) => {
      const dayOf = ({ createdAt }: UiTransaction): string =>
        new Date(Date.parse(createdAt) + minutesAhead * 60_000).toISOString().slice(0, 10);
      const byDay = Map.groupBy(this.#matching(filter), dayOf);
      const days = [...byDay]
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([day, transactions]) => {
          const statuses = transactions.flatMap(({ documents }) => documents.map(({ status }) => status));
          const count = (wanted: string): number => statuses.filter((status) => status === wanted).length;
          return { day, signed: count('SIGNED'), waiting: count('WAITING'), failed: count('ERROR') };
        });
      return { days, newestOnly: Number.isFinite(this.mostCounted) };
    },
  };
}
