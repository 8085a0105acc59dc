import { hashPermissionOf, type HashPermission, type Scope } from '../../service/authorization/index.ts';
import { readHash } from '../../service/transactions/index.ts';
import { isObject } from '../read-body.ts';
import { readDigestName } from './digest-names.ts';
import { OAuthRefusal, type Parameters } from './oauth-library.ts';

/** The scopes of the Cloud Signature Consortium, whose clients always send a code challenge (CSC API 2.0, 8.4.2). */
const consortiumScopes: readonly Scope[] = ['service', 'credential'];

export const needsChallenge = (scopes: readonly Scope[]): boolean =>
  scopes.some((scope) => consortiumScopes.includes(scope));

/** The members of an authorization request for a credential, as CSC API 2.0, 8.4.2 names them. */
interface CredentialRequest {
  readonly credentialID?: string;
  readonly numSignatures?: number;
  readonly hashes?: readonly string[];
  readonly hashAlgorithmOID?: string;
}

/** The hashes that the page asks for. `most`: the most that this instance lets a person permit at once. */
export function askedHashes(
  scopes: readonly Scope[],
  parameters: Parameters,
  most: number,
): HashPermission | undefined {
  if (!scopes.includes('credential')) return hashPermissionOf(scopes, most);
  if (most === 0) throw new OAuthRefusal('invalid_scope', 'This instance signs no hashes.');
  return credentialPermission(credentialRequest(parameters), most);
}

/** The permission that the page asks for: the number of hashes, and the hashes and the certificate that the request names. */
export function credentialPermission(
  { credentialID, numSignatures, hashes, hashAlgorithmOID }: CredentialRequest,
  most: number,
): HashPermission {
  if (credentialID !== undefined && !/^[0-9a-f]{64}$/.test(credentialID)) {
    throw new OAuthRefusal('invalid_request', 'Invalid parameter credentialID: take one of credentials/list.');
  }
  const values = hashes?.map((text) => readValue(text, hashAlgorithmOID));
  const asked = numSignatures ?? values?.length ?? 1;
  if (!Number.isInteger(asked) || asked < 1)
    throw new OAuthRefusal('invalid_request', 'Invalid parameter numSignatures.');
  if (asked > most || (values?.length ?? 0) > asked) {
    throw new OAuthRefusal('invalid_request', `Numbers of signatures is too high: at most ${most} at once.`);
  }
  return { most: asked, certificate: credentialID, values };
}

function readValue(text: string, algorithm: string | undefined): string {
  const digest = algorithm === undefined ? 'sha256' : readDigestName(algorithm);
  if (digest === undefined) {
    throw new OAuthRefusal('invalid_request', 'Invalid parameter hashAlgorithmOID: use SHA-256, SHA-384 or SHA-512.');
  }
  const read = readHash(text, digest);
  if (read === undefined) throw new OAuthRefusal('invalid_request', 'Invalid digest value length.');
  return `${digest}:${read.value}`;
}

function credentialRequest(parameters: Parameters): CredentialRequest {
  const { authorization_details: details, numSignatures, hashes, hashAlgorithmOID, credentialID } = parameters;
  if (details !== undefined) return ofDetails(details);
  return {
    credentialID,
    hashAlgorithmOID,
    numSignatures: numSignatures === undefined ? undefined : Number(numSignatures),
    hashes: hashes?.split(',').map((one) => decoded(one.trim())),
  };
}

/** Some clients percent-encode each hash once more before they join them. Other characters than ASCII stay as they are. */
const decoded = (text: string): string =>
  text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** The type of an entry: that of CSC API 2.0, or the address that later versions use. */
const credentialType = /^(?:credential|https:\/\/cloudsignatureconsortium\.org\/\d{4}\/credential)$/;

/** The only entry for a credential in `authorization_details` (RFC 9396). */
function ofDetails(text: string): CredentialRequest {
  const wrong = new OAuthRefusal(
    'invalid_request',
    'Invalid parameter authorization_details: one credential, as JSON.',
  );
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw wrong;
  }
  const entries: readonly unknown[] = Array.isArray(list) ? list : [list];
  const [entry] = entries;
  if (entries.length !== 1 || !isObject(entry) || !credentialType.test(String(entry.type))) throw wrong;
  const digests: readonly unknown[] = Array.isArray(entry.documentDigests) ? entry.documentDigests : [];
  const hashes = digests.map((digest) => (isObject(digest) && typeof digest.hash === 'string' ? digest.hash : ''));
  return {
    credentialID: typeof entry.credentialID === 'string' ? entry.credentialID : undefined,
    hashAlgorithmOID: typeof entry.hashAlgorithmOID === 'string' ? entry.hashAlgorithmOID : undefined,
    numSignatures: entry.numSignatures === undefined ? undefined : Number(entry.numSignatures),
    hashes: hashes.length === 0 ? undefined : hashes,
  };
}

/** The parameters that ask for the same hashes again, on a telephone. */
export function hashParameters(hashes: HashPermission | undefined, scopes: readonly Scope[]): Parameters {
  if (hashes === undefined || !scopes.includes('credential')) return {};
  const { most, certificate, values } = hashes;
  const [digest] = values?.[0]?.split(':') ?? [];
  const texts = values?.map((value) => value.slice(value.indexOf(':') + 1));
  return {
    numSignatures: String(most),
    ...(certificate === undefined ? {} : { credentialID: certificate }),
    ...(texts === undefined || digest === undefined ? {} : { hashes: texts.join(','), hashAlgorithmOID: digest }),
  };
}
