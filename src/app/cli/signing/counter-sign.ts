import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { SignatureType } from '../../../service/signature-types/index.ts';
import type { CmsVerification } from '../../../signing/index.ts';
import type { CallInput } from '../../../ui-contract/ui-contract.ts';
import { fitFileName } from '../../../text/file-name.ts';
import { AppError } from '../../app-error.ts';
import { asAppError, problemOfFile } from '../file-problems.ts';
import { coSignatureType } from './co-sign.ts';
import { documentBeside } from '../../evidence/document-beside.ts';

/** `--signer`: counted from 1, as people count. */
export type SignerChoice = number | 'all';

/** Signatures of the same type that are counter-signed with the same options. */
export interface CounterSigning {
  readonly type: SignatureType;
  readonly group: readonly { readonly path: string; readonly destination: string }[];
  readonly counterSign: NonNullable<CallInput<'sign.paths'>['counterSign']>;
}

interface CounterSignOptions {
  readonly type?: SignatureType;
  readonly out?: string;
  readonly signer?: SignerChoice;
}

/** Most bytes: a counter-signature is held in memory together with its file. */
const largest = 64 * 2 ** 20;

export function readSignerChoice(text: string): SignerChoice {
  if (text === 'all') return 'all';
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new AppError(2, `"${text}" is no signer: give 1 for the first, or all.`);
}

/**
 * Chooses the signatures for `--countersign`: in each file the only signer, or the signers named by `--signer`. A file
 * without a signature, a broken signature or a missing choice is passed to `onRefused`; without it, `AppError` is thrown
 * before anything is signed.
 */
export async function readCounterSigning(
  files: readonly string[],
  options: CounterSignOptions,
  onRefused?: (path: string, error: AppError) => void,
): Promise<readonly CounterSigning[]> {
  const groups = new Map<SignatureType, CounterSigning['group']>();
  for (const file of files) {
    const path = resolve(file);
    const type = await typeOf(path, options).catch((error: unknown) => {
      if (onRefused === undefined || !(error instanceof AppError)) throw error;
      onRefused(path, error);
    });
    if (type === undefined) continue;
    const destination = destinationOf(path, options.out);
    groups.set(type, [...(groups.get(type) ?? []), { path, destination }]);
  }
  const counterSign = options.signer === 'all' ? 'all' : (options.signer ?? 1) - 1;
  return [...groups].map(([type, group]) => ({ type, group, counterSign }));
}

async function typeOf(path: string, options: CounterSignOptions): Promise<SignatureType> {
  const problem = await problemOfFile(path);
  if (problem !== undefined) throw asAppError(problem, path);
  const found = await readSigners(path);
  chooseSigner(path, found, options.signer);
  return coSignatureType(found, options.type);
}

async function readSigners(path: string): Promise<CmsVerification> {
  const refuse = (why: string, cause?: unknown): never => {
    throw new AppError(2, `${path} ${why}`, { cause });
  };
  const { size } = await stat(path).catch((cause: unknown) => refuse('cannot be read.', cause));
  if (size > largest) refuse('is too large to be counter-signed: 64 MiB is the most.');
  const bytes = await readFile(path).catch((cause: unknown) => refuse('cannot be read.', cause));
  const document = documentBeside(path);
  // Imported late: the core takes longer to load than a running instance takes to sign.
  const { SigningError, verifyCms } = await import('../../../signing/index.ts');
  try {
    return await verifyCms(bytes, document === undefined ? undefined : { path: document });
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return refuse(`is no CMS signature. ${error.message}`, error);
  }
}

/** Refuses to counter-sign a broken signature, or the signature of an unintended person. */
function chooseSigner(path: string, { signers }: CmsVerification, choice: SignerChoice | undefined): void {
  const names = signers.map(({ certificate }, index) => `${index + 1}: ${certificate?.commonName ?? 'unknown'}`);
  if (choice === undefined && signers.length > 1) {
    const list = names.join('; ');
    throw new AppError(2, `${path} has ${signers.length} signers: say whose with --signer NUMBER or all. ${list}.`);
  }
  const chosen = choice === 'all' ? signers : signers.slice((choice ?? 1) - 1, choice ?? 1);
  if (chosen.length === 0) throw new AppError(2, `${path} has no such signer. Its signers: ${names.join('; ')}.`);
  const broken = chosen.find(({ outcome }) => outcome === 'broken');
  if (broken === undefined) return;
  throw new AppError(2, `${path} holds a broken signature, which is not counter-signed. ${broken.reason ?? ''}`.trim());
}

/** The same name in another folder; in the same folder `note.txt.p7s` becomes `note.txt-countersigned.p7s`. */
function destinationOf(path: string, out: string | undefined): string {
  if (out !== undefined) return join(resolve(out), basename(path));
  const extension = extname(path);
  return join(dirname(path), fitFileName(basename(path, extension), `-countersigned${extension}`));
}
