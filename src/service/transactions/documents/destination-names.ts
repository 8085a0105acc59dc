/** Names of results that are written to paths of the user. */
import { randomBytes } from 'node:crypto';
import { basename, dirname, join, parse } from 'node:path';
import { fitFileName } from '../../../text/file-name.ts';
import { ServiceError } from '../../errors/index.ts';
import { resultFileName, type SignatureType } from '../../signature-types/index.ts';

/** The destination of a file's result: in the same folder. */
export function destinationBeside(source: string, type: SignatureType): string {
  return join(dirname(source), resultFileName(basename(source), type));
}

/**
 * The same path with 12 random characters after its name: `contract-3f9a0c2e71bd.p7s`. The name cannot be predicted.
 */
export function freshName(path: string): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}-${randomBytes(6).toString('hex')}${ext}`);
}

/** The checked path; undefined if the destination exists. Rejects like `check` for an unusable destination. */
export async function checkedIfFree(
  check: (path: string) => Promise<string>,
  path: string,
): Promise<string | undefined> {
  try {
    return await check(path);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'DESTINATION_EXISTS') return undefined;
    throw error;
  }
}

/** Maximum number of names tried beside a source. */
const MOST_NAMES = 10_000;

/**
 * The first free name of a result beside its source: `contract-signed.pdf`, `contract-signed (2).pdf`, …; numbers go on
 * from that of `wanted`. `isFree` may reject for a folder that cannot be used. Undefined when thousands are taken.
 */
export async function freeDestination(
  wanted: string,
  isFree: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  const { dir, name, ext } = parse(wanted);
  const [, base = name, first = '1'] = /^(.*) \((\d{1,5})\)$/.exec(name) ?? [];
  for (let number = Number(first), tries = 0; tries < MOST_NAMES; number += 1, tries += 1) {
    const path = number === Number(first) ? wanted : join(dir, fitFileName(base, ` (${number})${ext}`));
    if (await isFree(path)) return path;
  }
  return undefined;
}
