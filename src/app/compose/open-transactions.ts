import { randomBytes } from 'node:crypto';
import { createQuotas } from '../../service/applications/index.ts';
import { auditedHashCalls } from '../../service/audit/index.ts';
import type { Authorization } from '../../service/authorization/index.ts';
import { namesTaxpayer } from '../../service/certificates/index.ts';
import { createHashCalls, type HashCalls } from '../../service/hash-calls/index.ts';
import type { CallbackRefusal } from '../../service/notifications/index.ts';
import type { Sealer } from '../../service/secrets/index.ts';
import type { Room } from '../../service/space/index.ts';
import type { ObjectStores } from '../../service/stores/index.ts';
import {
  createTransactions,
  documentExtender,
  documentSigners,
  type SharedNodes,
  type Transactions,
  type WorkObserver,
} from '../../service/transactions/index.ts';
import type { WorkerPool } from '../../signing/index.ts';
import {
  MasterKeySealer,
  SqlApplicationStore,
  SqlHashCallStore,
  StorageError,
  type SecretStore,
  type Storage,
} from '../../storage/index.ts';
import type { Configuration } from '../config/config.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { KeySources } from './key-sources.ts';
import type { AuditTrail } from '../log/audit-trail.ts';
import type { Log } from '../log/log.ts';
import type { Tracing } from '../tracing/tracing.ts';

interface TransactionParts {
  readonly configuration: Configuration;
  readonly storage: Storage;
  readonly secrets: SecretStore;
  readonly room: Room;
  readonly objectStores: ObjectStores;
  readonly keys: KeySources;
  readonly workers: WorkerPool;
  readonly evidence: Evidence;
  /** Fingerprints of a user's certificates. */
  readonly linkedCertificates: (username: string) => Promise<readonly string[]>;
  readonly callbackRefusal: CallbackRefusal;
  readonly work: WorkObserver;
  readonly log: Log;
  readonly tracing: Tracing;
  readonly now: () => Date;
}

/** The setting with the sealed key that all nodes share. */
export const nodesKeySetting = 'nodes.key';
export const nodesKeyPlace = 'settings nodes.key';

/** Connects to the other nodes by a key in their common database; undefined for a single instance. */
async function joinNodes(
  { sharedWith, settings }: Pick<Storage, 'sharedWith' | 'settings'>,
  sealer: Sealer,
): Promise<SharedNodes | undefined> {
  if (sharedWith === undefined) return undefined;
  const key = await sharedWith.locks.run(nodesKeySetting, async () => {
    const sealed = await settings.read(nodesKeySetting);
    if (typeof sealed === 'string') return openNodesKey(sealed, sealer);
    const made = randomBytes(32);
    await settings.write(nodesKeySetting, (await sealer.seal(made, nodesKeyPlace)).toString('base64'));
    return made;
  });
  sharedWith.signals.useKey(key);
  return { ...sharedWith, key };
}

async function openNodesKey(sealed: string, sealer: Sealer): Promise<Buffer> {
  try {
    return await sealer.open(Buffer.from(sealed, 'base64'), nodesKeyPlace);
  } catch (cause) {
    if (!(cause instanceof StorageError) || cause.code !== 'SECRET_UNREADABLE') throw cause;
    throw new StorageError('SECRET_UNREADABLE', 'The master key is not the key of the other nodes.', {
      cause,
      remedy: 'Copy the file of the master key from another node.',
    });
  }
}

/** The transactions of this instance, over its stores and keys. */
export async function openTransactions(parts: TransactionParts): Promise<Transactions> {
  const { configuration, storage, secrets, room, objectStores, keys, workers, evidence, callbackRefusal, log, now } =
    parts;
  const { signing, limits } = configuration;
  const sealer = new MasterKeySealer(secrets);
  return createTransactions({
    nodes: await joinNodes(storage, sealer),
    fileRoots: configuration.fileRoots,
    transactions: storage.transactions,
    documents: storage.documents,
    smallDocuments: storage.smallDocuments,
    files: storage.files,
    objects: objectStores,
    settings: storage.settings,
    sealer,
    room,
    quotas: createQuotas({
      store: new SqlApplicationStore(storage.database),
      configured: configuration.applicationLimits,
      now,
    }),
    keys: keys.ring,
    mayErase: storage.mayErase,
    readOnly: storage.mark.problem !== undefined,
    approve: configuration.approve,
    approved: configuration.approved,
    linkedCertificates: parts.linkedCertificates,
    callbackRefusal,
    hashes: configuration.hashes,
    work: parts.work,
    now,
    log: log.service,
    tracer: parts.tracing.tracer,
    limits: {
      documentSize: limits.documentSize,
      documentsPerTransaction: limits.documents,
      syncTimeout: signing.syncTimeout * 1000,
      uploadTimeout: signing.uploadTimeout * 1000,
      approvalTimeout: configuration.approval.timeout * 1000,
      evidenceTimeout: configuration.evidence.timeout * 1000,
      resultLifetime: signing.lifetime * 1000,
    },
    examinePdf: async (path, keysOfPdf) => workers.examinePdf(path, keysOfPdf),
    // PDFs may be hostile, so they are read in threads that can be terminated.
    prepareDocumentSigner: documentSigners({
      signPdf: async (request, level) => workers.signPdf(request, level),
      repairPdf: async (request) => workers.repairPdf(request),
      evidence,
      refuseRevoked: signing.refuseRevoked,
      checkPage: configuration.stampCheckPage,
    }),
    extendDocument: documentExtender({
      raisePdf: async (request) => workers.raisePdf(request),
      raiseCms: async (request) => workers.raiseCms(request),
      evidence,
    }),
    evidence,
  });
}

/** The parts below signatures of hashes. */
interface HashParts extends Pick<TransactionParts, 'secrets' | 'now'> {
  readonly configuration: Pick<Configuration, 'hashes'>;
  readonly storage: Pick<Storage, 'database' | 'shortLived'>;
  readonly audit: Pick<AuditTrail, 'record'>;
  readonly keys: Pick<KeySources, 'ring'>;
  readonly transactions: Transactions;
  readonly authorization: Authorization;
  readonly linkedCertificates: (username: string) => Promise<readonly string[]>;
}

/** Opens the signatures of hashes for the interfaces of other protocols. */
export function openHashCalls(parts: HashParts): HashCalls {
  const { configuration, storage, secrets, audit, keys, transactions, authorization, linkedCertificates, now } = parts;
  const { allowed, perAuthorization } = configuration.hashes;
  const hashCalls = createHashCalls({
    most: allowed === 'never' ? 0 : perAuthorization,
    transactions,
    authorization,
    now,
    store: new SqlHashCallStore(storage.database),
    shortLived: storage.shortLived,
    sealer: new MasterKeySealer(secrets),
    certificates: async (username) => {
      const linked = new Set(await linkedCertificates(username));
      const all = await keys.ring.list();
      return all.filter((key) => linked.has(key.fingerprint) || namesTaxpayer(key, username));
    },
  });
  return auditedHashCalls(hashCalls, audit.record);
}
