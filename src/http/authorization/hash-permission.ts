import { hashPermissionOf, type HashPermission, type Scope } from '../../service/authorization/index.ts';
import { readHash } from '../../service/transactions/index.ts';
import { digestOfName } from './digest-names.ts';
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

/** What the page asks for in the name of a credential: the number, and where they are named the hashes and the certificate. */
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
  const digest = digestOfName(algorithm ?? '') ?? 'sha256';
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

/** Some clients encode each hash once more before they join them. */
const decoded = (text: string): string => (/%[0-9a-f]{2}/i.test(text) ? decodeURIComponent(text) : text);

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
  const entries = (Array.isArray(list) ? list : [list]) as readonly Readonly<Record<string, unknown>>[];
  const [entry] = entries;
  if (entries.length !== 1 || typeof entry !== 'object' || !credentialType.test(String(entry.type))) throw wrong;
  const digests = Array.isArray(entry.documentDigests) ? (entry.documentDigests as readonly { hash?: unknown }[]) : [];
  const hashes = digests.map(({ hash }) => (typeof hash === 'string' ? hash : ''));
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
