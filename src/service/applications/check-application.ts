import { ServiceError, type FieldProblem } from '../errors/index.ts';
import { isTaxpayerNumber } from '../users/index.ts';
import { limitProblems } from './application-limits.ts';
import type { NewApplication } from './applications.ts';

const limits = { name: 100, comments: 2000, email: 254, redirectUris: 20, redirectUri: 2000 } as const;

/** Characters of RFC 6749's VSCHAR without space and colon, so that a client id fits into Basic credentials. */
export const clientIdShape = /^[\x21-\x39\x3b-\x7e]{3,128}$/;
const clientSecretShape = /^[\x21-\x7e]{12,256}$/;

type Checked = Partial<NewApplication>;

/** Checks the given fields of an application and answers them in regular form; `REQUEST_INVALID` names the problems. */
export function checkApplication<Given extends Checked>(application: Given): Given {
  const name = application.name === undefined ? undefined : plainText(application.name);
  const problems = [
    ...(name === undefined ? [] : textProblems('name', name, limits.name, true)),
    ...textProblems('comments', application.comments ?? '', limits.comments, false),
    ...emailProblems(application.email),
    ...redirectProblems(application.redirectUris),
    ...credentialProblems(application),
    ...limitProblems(application.limits ?? {}),
  ];
  if (problems.length > 0) {
    const names = problems.map(({ field }) => field).join(', ');
    throw new ServiceError('REQUEST_INVALID', `Correct these fields: ${names}.`, { problems });
  }
  return name === undefined ? application : { ...application, name };
}

/** A single line without control or direction characters, because people decide by this text. */
function plainText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function textProblems(field: string, text: string, limit: number, required: boolean): readonly FieldProblem[] {
  if (required && text === '') return [{ field, code: 'REQUIRED', detail: 'This field is required.' }];
  return text.length <= limit ? [] : [{ field, code: 'TOO_BIG', detail: `Use at most ${limit} characters.` }];
}

/** An empty address means that there is none: this computer's own application has no e-mail address. */
function emailProblems(email: string | undefined): readonly FieldProblem[] {
  if (email === undefined || email === '') return [];
  if (email.length <= limits.email && /^[^\s@]+@[^\s@]+$/.test(email)) return [];
  return [{ field: 'email', code: 'INVALID_VALUE', detail: 'Give an e-mail address.' }];
}

function redirectProblems(uris: readonly string[] | undefined): readonly FieldProblem[] {
  if (uris === undefined) return [];
  if (uris.length > limits.redirectUris) {
    return [{ field: 'redirect_uris', code: 'TOO_BIG', detail: `Give at most ${limits.redirectUris} addresses.` }];
  }
  return uris.flatMap((uri, index) => {
    const detail = redirectProblem(uri);
    return detail === undefined ? [] : [{ field: `redirect_uris[${index}]`, code: 'INVALID_VALUE', detail }];
  });
}

/** Addresses are compared exactly but for ports on loopback (RFC 9700 §2.1), so a wildcard is refused. */
function redirectProblem(uri: string): string | undefined {
  if (uri.includes('*')) return 'There are no wildcards: give each address in full.';
  if (isRedirectUri(uri)) return undefined;
  return 'Give an absolute https address, or http on loopback, without a fragment and without credentials.';
}

/** RFC 6749 §3.1.2 and RFC 8252 §7.3: absolute, without fragment; plain http only inside the computer. */
function isRedirectUri(text: string): boolean {
  if (text.length > limits.redirectUri || text.includes('#') || !/^[\x21-\x7e]+$/.test(text)) return false;
  const uri = URL.parse(text);
  if (uri === null || uri.username !== '' || uri.password !== '') return false;
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(uri.hostname);
  return uri.protocol === 'https:' || (uri.protocol === 'http:' && isLoopback);
}

function credentialProblems({ clientId, clientSecret }: Checked): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (clientId !== undefined && (!clientIdShape.test(clientId) || isTaxpayerNumber(clientId))) {
    const detail = 'Use 3 to 128 letters, digits or signs of ASCII, without spaces and colons; not a CPF or CNPJ.';
    problems.push({ field: 'client_id', code: 'INVALID_VALUE', detail });
  }
  if (clientSecret !== undefined && !clientSecretShape.test(clientSecret)) {
    const detail = 'Use 12 to 256 letters, digits or signs of ASCII, without spaces; or leave it out to be given one.';
    problems.push({ field: 'client_secret', code: 'INVALID_VALUE', detail });
  }
  return problems;
}
