import type { BackupView, RestoreQuestion, SettingsView } from '../../src/ui-contract/settings-calls.ts';
import type { CheckView, SiteVisitView } from '../../src/ui-contract/doctor-calls.ts';
import type { NotificationView } from '../../src/ui-contract/notification-calls.ts';
import type { AuditRowView, AuditVerdictView } from '../../src/ui-contract/audit-calls.ts';
import type { CallHandlers, CallName, CallOutput } from '../../src/ui-contract/ui-contract.ts';
import type { ArchivePlace, ArchiveView } from '../../src/ui-contract/archive-calls.ts';
import { archiveFolder, check, resultNameOf, sha256 } from './fake-data.ts';
import { FakeError } from './fake-error.ts';

type SettingsCall = Extract<
  CallName,
  | `stores.${string}`
  | `archive.${string}`
  | `settings.${string}`
  | `notifications.${string}`
  | `backup.${string}`
  | `audit.${string}`
  | 'doctor.visits'
>;
type Handlers = { [Name in SettingsCall]?: (input: Parameters<CallHandlers[Name]>[0]) => CallOutput<Name> };
type Store = CallOutput<'stores.list'>[number];

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** The passphrase of every backup. */
const rightPassphrase = 'cavalo correto bateria';

const office: Store = {
  id: 'escritorio',
  kind: 's3',
  endpoint: 'https://minio.exemplo.com.br',
  region: 'us-east-1',
  bucket: 'contratos',
  prefix: 'entrada/',
  pathStyle: true,
  overwrite: false,
};

const deliveries: readonly NotificationView[] = [
  {
    id: 'msg_3',
    tcn: '3',
    target: 'https://portal.example/assinado',
    status: 'WAITING',
    attempts: 3,
    lastError: 'The server answered 503.',
    lastFailure: { kind: 'answered', status: 503 },
    clientId: 'b7d4',
    createdAt: minutesAgo(14),
    nextAttemptAt: minutesAgo(-8),
    finishedAt: null,
  },
  {
    id: 'msg_2',
    tcn: '2',
    target: 'https://loja.example/aviso',
    status: 'DELIVERED',
    attempts: 1,
    lastError: null,
    lastFailure: null,
    clientId: null,
    createdAt: minutesAgo(60),
    nextAttemptAt: null,
    finishedAt: minutesAgo(60),
  },
  {
    id: 'msg_1',
    tcn: '1',
    target: 'https://antigo.example/fim',
    status: 'GIVEN_UP',
    attempts: 7,
    lastError: 'antigo.example was not found.',
    lastFailure: { kind: 'unreachable', status: null },
    clientId: 'b7d4',
    createdAt: minutesAgo(3000),
    nextAttemptAt: null,
    finishedAt: minutesAgo(2500),
  },
];

/** Object stores, the way to the network, deliveries, audit log, backups and what the Doctor finds, in memory. */
export class FakeSettings {
  stores: Store[] = [office];
  archive: ArchiveView = {
    place: 'beside',
    folder: '/home/maria/Documentos/Assinados',
    current: archiveFolder,
    byMonth: true,
    suffix: '-assinado',
    chosen: { folder: false, suffix: false },
    fixed: [],
  };

  /** The path of a result, as the core would choose it. */
  placeOf(place: ArchivePlace, type: string, file: string): string {
    const { current, suffix } = this.archive;
    const cut = file.lastIndexOf('/') + 1;
    const own = place.kind === 'beside' && cut > 0 ? file.slice(0, cut - 1) : undefined;
    const chosen = place.kind === 'folder' ? place.folder : undefined;
    return `${own ?? chosen ?? current}/${resultNameOf(type, file.slice(cut), suffix)}`;
  }

  notifications: NotificationView[] = [...deliveries];
  /** What the backup opens. */
  restoreAsks: RestoreQuestion | null = null;
  verdict: AuditVerdictView = { state: 'intact', rows: 42, head: sha256('head'), mark: null };
  rows: AuditRowView[] = ['transaction-approved', 'documents-signed', 'backup-made'].map((kind, index) => ({
    sequence: index + 1,
    at: minutesAgo(9 - index),
    kind,
    detail: '{}',
    subject: kind === 'backup-made' ? null : 'transaction:012345…',
    previous: sha256(`${index}`),
    hash: sha256(`${index + 1}`),
  }));
  settings: SettingsView = {
    network: { proxy: null, proxyHasCredentials: false, noProxy: [], allow: ['10.0.0.0/8'] },
    fixed: [],
    restartNeeded: false,
    limits: { documentSize: 2 * 2 ** 30, documents: 1000, lifetime: 43_200, uploadTimeout: 86_400 },
  };
  backup: BackupView = { folder: '/home/maria/Documents', copies: [], aside: [], pending: null };
  found: CheckView[] = [
    check('certificates', 'certificates-good', { count: 2 }),
    check('card-reader', 'tokens-seen', { count: 1 }),
    check('port', 'port-usual', { port: 17_171 }),
    check('secret-place', 'secrets-kept', { kind: 'os-keychain' }),
  ];
  visits: SiteVisitView[] = [];

  #notification(id: string): NotificationView {
    const found = this.notifications.find((one) => one.id === id);
    if (found === undefined) throw new FakeError('NOT_FOUND');
    return found;
  }

  #change(id: string, change: Partial<NotificationView>): NotificationView {
    const changed = { ...this.#notification(id), ...change };
    this.notifications = this.notifications.map((one) => (one.id === id ? changed : one));
    return changed;
  }

  readonly handlers: Handlers = {
    'archive.read': () => this.archive,
    'stores.list': () => this.stores,
    'stores.add': (input) => {
      const { id, bucket, kind, overwrite } = input;
      const region = kind === 's3' ? input.region : null;
      const added: Store = {
        id,
        kind,
        bucket,
        overwrite,
        region,
        endpoint: input.endpoint ?? null,
        prefix: input.prefix,
        pathStyle: kind === 's3' && input.pathStyle,
      };
      this.stores = [...this.stores.filter((one) => one.id !== id), added];
      return {};
    },
    'stores.remove': ({ id }) => {
      this.stores = this.stores.filter((one) => one.id !== id);
      return {};
    },
    'stores.test': ({ id }) => {
      if (id !== office.id) throw new FakeError('STORE_REFUSED', 'The store does not know these credentials.');
      return { milliseconds: 12 };
    },
    'settings.read': () => this.settings,
    'notifications.list': () => this.notifications,
    'notifications.redeliver': ({ idOrTcn }) =>
      this.#change(idOrTcn, { status: 'WAITING', attempts: 0, lastError: null, lastFailure: null, finishedAt: null }),
    'notifications.giveUp': ({ id }) =>
      this.#change(id, { status: 'GIVEN_UP', nextAttemptAt: null, finishedAt: minutesAgo(0) }),
    'audit.list': ({ after, limit }) =>
      (after === undefined ? this.rows.toReversed() : this.rows.filter(({ sequence }) => sequence > after)).slice(
        0,
        limit,
      ),
    'audit.verify': () => this.verdict,
    'backup.make': () => ({ size: 4_400_000, documents: 3 }),
    'backup.read': () => this.backup,
    'backup.restore': ({ passphrase, keep }) => {
      if (passphrase !== rightPassphrase) {
        throw new FakeError('PASSWORD_INCORRECT', 'The passphrase is not the one of this backup.');
      }
      if (keep === undefined && this.restoreAsks !== null) return { backup: this.backup, asks: this.restoreAsks };
      this.backup = { ...this.backup, pending: { createdAt: minutesAgo(500), documents: 3, auditIntact: true } };
      return { backup: this.backup, asks: null };
    },
    'backup.cancelRestore': () => {
      this.backup = { ...this.backup, pending: null };
      return this.backup;
    },
    'doctor.visits': () => ({ now: minutesAgo(0), visits: this.visits }),
  };
}
