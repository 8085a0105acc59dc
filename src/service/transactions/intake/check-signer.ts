import {
  type AliasedKey,
  type DigestAlgorithm,
  normalizeTaxpayerNumber,
  parseCertificate,
  readIcpBrasilIdentity,
  SigningError,
  verifyCms,
} from '../../../signing/index.ts';
import { ServiceError, type CodedProblem, refuseProblems } from '../../errors/index.ts';
import { signatureForm } from '../../signature-types/index.ts';
import { choosePolicy, needsTimestamp } from '../choices/choose-policy.ts';
import type { TransactionContext } from '../dependencies.ts';
import type { CreateTransaction } from '../transaction.ts';
import type { CheckedRequest } from './check-request.ts';

/** The parts of a request that its key, this instance or an existing signature may contradict. */
type SignerRequest = Pick<
  CreateTransaction,
  'type' | 'policy' | 'digest' | 'signatureAlgorithm' | 'timestampServer' | 'signerCompany' | 'existingSignature'
> &
  Pick<CheckedRequest, 'documents'>;

/**
 * Checks a request against the key, this instance and an existing signature, before anything is stored: rejects with
 * `TSA_NOT_CONFIGURED`, `POLICY_NOT_SUPPORTED`, `ALGORITHM_NOT_SUPPORTED` or `REQUEST_INVALID`.
 */
export async function checkSigner(
  context: Pick<TransactionContext, 'evidence' | 'now'>,
  request: SignerRequest,
  key: AliasedKey,
): Promise<void> {
  refuseProblems([...(await checkTimestamps(context, request)), ...checkCompany(request, key)]);
  await checkExisting(request);
  const { policy, type } = request;
  const { certificate, chain } = key;
  refuseForKey(request, certificate);
  for (const digest of digestsOf(request)) {
    await choosePolicy(context.evidence, { policy, type, digest, certificate, chain, at: context.now() });
  }
}

async function checkTimestamps(
  { evidence }: Pick<TransactionContext, 'evidence'>,
  { policy, timestampServer }: SignerRequest,
): Promise<readonly CodedProblem[]> {
  const isNeeded = needsTimestamp(policy);
  if (!isNeeded && timestampServer === undefined) return [];
  const servers = await evidence.timestampServers();
  const code = 'TSA_NOT_CONFIGURED';
  if (timestampServer !== undefined && !servers.includes(timestampServer)) {
    const known = servers.length === 0 ? 'none' : servers.join(', ');
    const detail = `No time-stamp server has this id. Configured ids: ${known}.`;
    return [{ field: 'tsa_server_id', code, detail }];
  }
  if (servers.length > 0) return [];
  const detail =
    'This policy needs a time stamp, and no time-stamp server is configured: ' +
    'add one (sinete tsa add), or use none or B-B.';
  return [{ field: 'policy', code, detail }];
}

/** The certificate must prove a stamp's statement about a company. */
function checkCompany({ signerCompany }: SignerRequest, { certificate }: AliasedKey): readonly CodedProblem[] {
  if (signerCompany === undefined) return [];
  const field = 'signer_company';
  if (normalizeTaxpayerNumber(signerCompany.cnpj).length !== 14) {
    const detail = 'Give the CNPJ of the company, 14 characters with or without punctuation, not its name.';
    return [{ field, code: 'REQUEST_INVALID', detail }];
  }
  const identity = readIcpBrasilIdentity(parseCertificate(certificate));
  if (identity?.cnpj === normalizeTaxpayerNumber(signerCompany.cnpj)) return [];
  const detail = 'The certificate is not that of this company: use its e-CNPJ, or leave the field out.';
  return [{ field, code: 'REQUEST_INVALID', detail }];
}

async function checkExisting({ existingSignature, type }: SignerRequest): Promise<void> {
  if (existingSignature === undefined) return;
  const field = 'signature';
  const refuse = (detail: string, cause?: unknown): never => {
    const code = 'REQUEST_INVALID';
    throw new ServiceError(code, detail, { cause, problems: [{ field, code, detail }] });
  };
  const { container, attached } = signatureForm(type);
  if (container !== 'cms') refuse('Only CMS and CAdES signatures take another signer this way: send the signed PDF.');
  const found = await verifyCms(existingSignature).catch((error: unknown) => {
    if (!(error instanceof SigningError)) throw error;
    return refuse('This is no CMS signature: send the base64 of the whole signature file (.p7s or .p7m).', error);
  });
  if (found.attached === attached) return;
  refuse(
    found.attached
      ? 'The signature encloses its content: ask for an attached type.'
      : 'The signature does not enclose its content: ask for a detached type.',
  );
}

/** The hash functions of a request, each once: that of the request without hashes. */
const digestsOf = ({ documents, digest }: Pick<CheckedRequest, 'documents' | 'digest'>): readonly DigestAlgorithm[] => {
  const given = documents.flatMap(({ source }) => (source.kind === 'hash' ? [source.hash.digest] : []));
  return given.length === 0 ? [digest] : [...new Set(given)];
};

/** The kinds of keys of each scheme of bare signatures. */
const keysOfScheme: Readonly<Record<NonNullable<CreateTransaction['signatureAlgorithm']>, readonly string[]>> = {
  'RSASSA-PKCS1-v1_5': ['rsa'],
  'RSASSA-PSS': ['rsa', 'rsa-pss'],
  ECDSA: ['ec'],
};

/**
 * Refuses what the key cannot sign: `KEY_SIGNS_NO_HASH` for bare signatures over a hash by keys that hash by themselves;
 * `ALGORITHM_NOT_SUPPORTED` for a scheme of other keys, and for CMS, where RFC 8419 §3.1 gives keys that hash by
 * themselves a hash function of their own.
 */
function refuseForKey(
  { documents, type, signatureAlgorithm }: Pick<CheckedRequest, 'documents' | 'type' | 'signatureAlgorithm'>,
  certificate: Buffer,
): void {
  const isOfHashes = documents.some(({ source }) => source.kind === 'hash');
  if (!isOfHashes && signatureAlgorithm === undefined) return;
  const kind = parseCertificate(certificate).publicKey().asymmetricKeyType ?? '';
  if (signatureAlgorithm !== undefined && !keysOfScheme[signatureAlgorithm].includes(kind)) {
    const detail =
      'The key of this certificate has another algorithm: leave signature_algorithm out for its usual one.';
    refuseProblems([{ field: 'signature_algorithm', code: 'ALGORITHM_NOT_SUPPORTED', detail }]);
  }
  if (hashingKeys.includes(kind)) return;
  const isRaw = signatureForm(type).container === 'raw';
  const isEd25519 = kind === 'ed25519';
  const problems = documents.flatMap(({ source }, index): CodedProblem[] => {
    if (source.kind !== 'hash' || (!isRaw && isEd25519 && source.hash.digest === 'sha512')) return [];
    if (isRaw) {
      const detail = 'The key of this certificate hashes by itself: send data_to_sign in place of the hash.';
      return [{ field: `hashes[${index}].hash`, code: 'KEY_SIGNS_NO_HASH', detail }];
    }
    const detail = isEd25519
      ? 'The key of this certificate needs the hash by SHA512.'
      : 'The key of this certificate needs a hash function that is not offered here: send the document.';
    return [{ field: `hashes[${index}].hash_algorithm`, code: 'ALGORITHM_NOT_SUPPORTED', detail }];
  });
  refuseProblems(problems.slice(0, mostTold));
}

/** Kinds of keys that sign hashes made elsewhere. */
const hashingKeys: readonly string[] = ['rsa', 'rsa-pss', 'ec'];

/** Most problems of one kind in a refusal. */
const mostTold = 20;
