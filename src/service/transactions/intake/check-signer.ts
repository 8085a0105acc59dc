import {
  type AliasedKey,
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

/** The parts of a request that its key, this instance or an existing signature may contradict. */
type SignerRequest = Pick<
  CreateTransaction,
  'type' | 'policy' | 'digest' | 'timestampServer' | 'signerCompany' | 'existingSignature'
>;

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
  const { policy, type, digest } = request;
  const { certificate, chain } = key;
  await choosePolicy(context.evidence, { policy, type, digest, certificate, chain, at: context.now() });
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
  if (container === 'pdf') refuse('Only CMS and CAdES signatures take another signer this way: send the signed PDF.');
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
