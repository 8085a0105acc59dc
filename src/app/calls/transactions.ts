import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ServiceError } from '../../service/errors/index.ts';
import {
  parseSignaturePolicy,
  type CreateTransaction,
  type IncomingDocument,
  type Requester,
  type SignatureSetting,
  type TransactionView,
} from '../../service/transactions/index.ts';
import { pickOptions } from '../../request/derive.ts';
import { signaturePolicies } from '../../request/signature-policies.ts';
import { requestOptions, settingOptions, type SignaturePolicy } from '../../request/signature-request.ts';
import type { FileStamp } from '../../ui-contract/stamp-calls.ts';
import type { CallHandlers, CallName, UiTransaction } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../compose/open-core.ts';
import { chooseResultPaths } from './archive.ts';
import { readRecipient } from './given/read-recipient.ts';
import { approveInAdvance } from './sites.ts';
import { inspectionForUi, transactionForUi, transactionsForUi } from './views.ts';

/** The window shows every document, so it asks for all of them. */
const whole = { documents: { limit: Number.POSITIVE_INFINITY } } as const;

/** The input of a call, as its schema reads it. */
type CallFields<Name extends CallName> = Parameters<CallHandlers[Name]>[0];

type TransactionCalls = Pick<
  CallHandlers,
  Extract<keyof CallHandlers, `transactions.${string}` | `approvals.${string}` | `sign.${string}` | `results.${string}`>
>;

/** The calls about transactions: approving, looking, and signing for the owner of this window or terminal. */
export function transactionCalls(core: Core, requester: Requester): TransactionCalls {
  const { transactions, consent, fileOpener, now } = core;
  return {
    'approvals.decide': async ({ tcn, decision, standing }) => {
      if (decision === 'approve' && standing !== undefined) {
        await approveInAdvance(consent, await transactions.query(tcn, whole), standing, now());
      }
      return wholeForUi(core, await transactions.decide(tcn, decision));
    },
    'approvals.inspect': async ({ tcn, documentId }) =>
      inspectionForUi(await transactions.inspectOriginal(tcn, documentId)),
    'approvals.part': async ({ tcn, documentId, part }) => ({
      content: (await transactions.readOriginalPart(tcn, documentId, part)).toString('base64'),
    }),
    'transactions.read': async ({ tcn }) => transactionForUi(await transactions.query(tcn, whole)),
    'transactions.list': async ({ limit }) => transactionsForUi(await transactions.recent(limit)),
    'sign.create': async (input) => wholeForUi(core, await signUploads(core, requester, input)),
    'sign.paths': async (input) => wholeForUi(core, await signPaths(core, requester, input)),
    'sign.end': async ({ tcn }) => {
      await transactions.upload(tcn, { endOfTransaction: true }, noDocuments());
      return {};
    },
    'sign.pause': async ({ tcn, paused }) => {
      await transactions.pause(tcn, paused);
      return {};
    },
    'sign.cancel': async ({ tcn }) => {
      await transactions.cancel(tcn);
      return {};
    },
    'results.content': async ({ tcn, documentId }) => resultContent(core, tcn, documentId),
    'results.reveal': async ({ tcn, documentId }) => {
      const path = pathOfResult(await transactions.query(tcn, whole), documentId);
      return { opened: await fileOpener.reveal(path), path };
    },
    'results.open': async ({ tcn, documentId }) => {
      const path = pathOfResult(await transactions.query(tcn, whole), documentId);
      return { opened: await fileOpener.open(path), path };
    },
  };
}

/** Loads a new transaction with all of its documents, because the service answers only their first page. */
async function wholeForUi({ transactions }: Core, view: TransactionView): Promise<UiTransaction> {
  const { SIGNED, WAITING, ERROR } = view.counts;
  const isWhole = view.documents.length === SIGNED + WAITING + ERROR;
  return transactionForUi(isWhole ? view : await transactions.query(view.tcn, whole));
}

async function* noDocuments(): AsyncGenerator<IncomingDocument> {
  // Ends the batch without another document.
}

/** Starts a transaction whose files are uploaded later, with the paths of their results. */
async function signUploads(
  core: Core,
  requester: Requester,
  input: Parameters<CallHandlers['sign.create']>[0],
): Promise<TransactionView> {
  const { place, type, files } = input;
  const recipient = input.recipient === undefined ? undefined : await readRecipient(core.workers, input.recipient);
  const paths = place === undefined ? undefined : await chooseResultPaths(core, place, type, files);
  const { settings, settingOf } = settingsOf(input);
  const documents = files.map(({ name, stamp }, index) => ({
    id: String(index),
    originalFileName: name,
    signatureSetting: settingOf(stamp),
    ...destinationAt(paths, index),
  }));
  const request = {
    ...ownRequest(input),
    settings,
    ...existingSignature(input.existingSignature),
    recipient,
    ...(paths === undefined ? {} : { destination: 'FREE_PATH' as const }),
    documentsSource: 'UPLOAD_REFERENCE',
    documents,
  } as const;
  return core.transactions.create(request, requester);
}

/** Starts a transaction of files named by their paths. */
async function signPaths(
  core: Core,
  requester: Requester,
  input: Parameters<CallHandlers['sign.paths']>[0],
): Promise<TransactionView> {
  const { place = { kind: 'beside', language: 'en' }, type, files } = input;
  const recipient = input.recipient === undefined ? undefined : await readRecipient(core.workers, input.recipient);
  const isNamed = files.every(({ destination }) => destination !== undefined);
  const named = files.map(({ path, folder }) => ({ path, folder, name: basename(path) }));
  const paths = isNamed ? undefined : await chooseResultPaths(core, place, type, named);
  const { settings, settingOf } = settingsOf(input);
  const documents = files.map(({ path, destination, stamp }, index) => ({
    data: path,
    signatureSetting: settingOf(stamp),
    ...(destination === undefined ? destinationAt(paths, index) : { destinationFileName: destination }),
  }));
  const request = {
    ...ownRequest(input),
    settings,
    ...existingSignature(input.existingSignature),
    recipient,
    documentsSource: 'FILE_PATH',
    destination: isNamed ? 'FILE_PATH' : 'FREE_PATH',
    documents,
  } as const;
  return core.transactions.create(request, requester);
}

/** The request's `destination` for the chosen path of a result. */
const destinationAt = (paths: readonly string[] | undefined, index: number) => ({
  destinationFileName: paths?.[index],
});

/** The request's `existingSignature`, to which a further signer is added. */
const existingSignature = (base64: string | undefined): Pick<CreateTransaction, 'existingSignature'> => ({
  existingSignature: base64 === undefined ? undefined : Buffer.from(base64, 'base64'),
});

/** A request of the owner: the chosen options, and the interface's defaults for all others. */
function ownRequest(
  input: Omit<CallFields<'sign.create'>, 'files'>,
): Omit<CreateTransaction, 'documentsSource' | 'documents' | 'settings'> {
  return {
    ...pickOptions(requestOptions, input),
    policy: readPolicy(input.policy),
    certificateAlias: input.alias,
    password: input.password,
    reach: { kind: 'owner', overNetwork: true },
    mode: 'async',
    destination: 'LOCAL',
    autoFixDocument: input.autoFix ?? false,
    returnSignature: false,
  };
}

interface BatchSettings {
  readonly settings: readonly SignatureSetting[];
  /** The id of the setting for a file with this stamp. */
  readonly settingOf: (stamp: FileStamp | undefined) => string;
}

/** The setting of the batch, plus one setting for each different stamp of single files. */
function settingsOf(
  input: Omit<CallFields<'sign.create'>, 'files'> & {
    readonly files: readonly { readonly stamp?: FileStamp | undefined }[];
  },
): BatchSettings {
  const usual: SignatureSetting = { id: 'default', ...pickOptions(settingOptions, input) };
  const ids = new Map<string, string>();
  const settings = [usual];
  for (const { stamp } of input.files) {
    const key = stamp === undefined ? undefined : JSON.stringify(stamp);
    if (stamp === undefined || key === undefined || ids.has(key)) continue;
    const id = `stamp-${ids.size + 1}`;
    ids.set(key, id);
    settings.push({ ...withStamp(usual, stamp), id });
  }
  const settingOf = (stamp: FileStamp | undefined): string =>
    (stamp === undefined ? undefined : ids.get(JSON.stringify(stamp))) ?? usual.id;
  return { settings, settingOf };
}

/** The setting with the stamp of one file: at another place, in a field, or no stamp. Text and image stay the same. */
function withStamp({ visible, ...setting }: SignatureSetting, stamp: FileStamp): SignatureSetting {
  switch (stamp.kind) {
    case 'none':
      return { ...setting, invisible: true };
    case 'field':
      return { ...setting, visible, fieldName: stamp.fieldName };
    case 'place': {
      const { pages, corner, x, y, width, height, clear } = stamp;
      return { ...setting, visible: { ...visible, pages, corner, x, y, width, height, clear, fit: true } };
    }
  }
}

function readPolicy(name = 'none'): SignaturePolicy {
  const policy = parseSignaturePolicy(name);
  if (policy !== undefined) return policy;
  const known = signaturePolicies.join(', ');
  throw new ServiceError('POLICY_NOT_SUPPORTED', `"${name}" is no policy: use ${known}, or the OID of one.`);
}

/** Maximum number of bytes of a result in the answer to a call. */
const handedOver = 64 * 2 ** 20;

async function resultContent({ transactions }: Core, tcn: string, documentId: string) {
  const { size, fileName, path, bytes: data } = await transactions.result(tcn, documentId);
  if (size > handedOver) throw new ServiceError('DOCUMENT_TOO_LARGE', 'Open a file of this size from its folder.');
  const bytes = path === undefined ? data : await readFile(path);
  return { name: path === undefined ? fileName : basename(path), data: bytes.toString('base64') };
}

function pathOfResult(view: TransactionView, documentId: string): string {
  const document = view.documents.find(({ id }) => id === documentId);
  if (document?.inObjectStore === false && document.resultPath !== null) return document.resultPath;
  throw new ServiceError('NOT_FOUND', 'This result is kept here; download it to have it in a folder.');
}
