import { ServiceError, type ServiceErrorCode } from '../../service/errors/index.ts';
import { parseSignaturePolicy, signaturePolicies } from '../../service/transactions/index.ts';
import { hashAlgorithms } from './schemas.ts';

/**
 * Refuses wishes allowed by the interface but unsupported by this instance, with the field's name: nothing is ignored
 * in silence. `body` is in regular form; values of a wrong type are left to the schema.
 */
export function refuseUnsupported(body: Record<string, unknown>): void {
  refuseType(body.type);
  refuseAlgorithm('hash_algorithm', body.hash_algorithm);
  refuseAlgorithm('tsa_hash_algorithm', body.tsa_hash_algorithm);
  refusePolicy(body.policy);
}

function refuseType(type: unknown): void {
  if (typeof type !== 'string' || !/^xades/i.test(type)) return;
  throw refusal(
    'TYPE_NOT_SUPPORTED',
    'type',
    'XML signatures are not made here: use CMS, CAdES, PDFSignature or PAdES.',
  );
}

function refuseAlgorithm(field: string, name: unknown): void {
  if (typeof name !== 'string' || hashAlgorithms.some((known) => known === name)) return;
  throw refusal('ALGORITHM_NOT_SUPPORTED', field, `Use ${hashAlgorithms.join(', ')}; older hashes are not safe.`);
}

function refusePolicy(policy: unknown): void {
  if (typeof policy !== 'string' || parseSignaturePolicy(policy) !== undefined) return;
  const sentence = `Use ${signaturePolicies.join(', ')}, or the OID of an ICP-Brasil policy.`;
  throw refusal('POLICY_NOT_SUPPORTED', 'policy', sentence);
}

function refusal(code: ServiceErrorCode, field: string, detail: string): ServiceError {
  return new ServiceError(code, `${field}: ${detail}`, { problems: [{ field, code, detail }] });
}
