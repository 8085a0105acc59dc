import { isValidCnpj, isValidCpf, normalizeTaxpayerNumber } from '../../signing/index.ts';
import { ServiceError, type FieldProblem } from '../errors/index.ts';

/** Bytes of a photo as a data URI: a thumbnail is far smaller. */
const photoLimit = 256 * 1024;
const nameLimit = 120;

/** The beginning of each kind of picture, in base64. */
const photoKinds = [
  { mediaType: 'image/png', start: Buffer.from('89504e470d0a1a0a', 'hex') },
  { mediaType: 'image/jpeg', start: Buffer.from('ffd8ff', 'hex') },
  { mediaType: 'image/webp', start: Buffer.from('RIFF') },
] as const;

/** A person's data in regular form. */
export interface CheckedPerson {
  readonly name: string;
  readonly username: string;
  readonly photo: string | null;
}

/** Checks name, CPF or CNPJ, and photo; `REQUEST_INVALID` names every wrong field. */
export function checkPerson(person: {
  readonly name: string;
  readonly username: string;
  readonly photo?: string | null;
}): CheckedPerson {
  const name = regularName(person.name);
  const username = normalizeTaxpayerNumber(person.username);
  const photo = person.photo ?? null;
  refuse([...nameProblems(name), ...usernameProblems(username), ...photoProblems(photo)]);
  return { name, username, photo };
}

/** Checks a change of a person. */
export function checkChange(change: { readonly name?: string; readonly photo?: string | null }): typeof change {
  const name = change.name === undefined ? undefined : regularName(change.name);
  refuse([...(name === undefined ? [] : nameProblems(name)), ...photoProblems(change.photo ?? null)]);
  return { name, photo: change.photo };
}

/** True for a CPF or CNPJ with right check digits, with or without punctuation. */
export function isTaxpayerNumber(text: string): boolean {
  return isValidCpf(text) || isValidCnpj(text);
}

function regularName(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function nameProblems(name: string): readonly FieldProblem[] {
  if (name !== '' && name.length <= nameLimit) return [];
  return [{ field: 'name', code: 'INVALID_VALUE', detail: `Give a name of at most ${nameLimit} characters.` }];
}

function usernameProblems(username: string): readonly FieldProblem[] {
  if (isTaxpayerNumber(username)) return [];
  return [
    { field: 'username', code: 'INVALID_VALUE', detail: 'Give a CPF or a CNPJ; its check digits must be right.' },
  ];
}

function photoProblems(photo: string | null): readonly FieldProblem[] {
  if (photo === null) return [];
  if (photo.length > photoLimit) {
    return [{ field: 'photo', code: 'TOO_BIG', detail: 'Give a smaller photo: at most 256 kB as a data URI.' }];
  }
  const parts = /^data:([a-z/]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(photo);
  const kind = photoKinds.find(({ mediaType }) => mediaType === parts?.[1]);
  const content = Buffer.from(parts?.[2] ?? '', 'base64');
  if (kind !== undefined && content.subarray(0, kind.start.length).equals(kind.start)) return [];
  const detail = 'Give the photo as a data URI (RFC 2397) of a PNG, JPEG or WebP picture.';
  return [{ field: 'photo', code: 'INVALID_VALUE', detail }];
}

function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return;
  const names = problems.map(({ field }) => field).join(', ');
  throw new ServiceError('REQUEST_INVALID', `Correct these fields: ${names}.`, { problems });
}
