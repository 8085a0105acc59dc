import { ServiceError, type ServiceErrorCode } from '../../service/index.ts';
import { isObject } from '../read-json.ts';
import { hashAlgorithms } from './schemas.ts';

/**
 * Refuses what the interface allows to ask for and this instance cannot do, naming the field: nothing that was asked
 * for is left out in silence. `body` is in regular form; values of a wrong type are left to the schema.
 */
export function refuseUnsupported(body: Record<string, unknown>): void {
  refuseType(body.type);
  refuseAlgorithm('hash_algorithm', body.hash_algorithm);
  refuseAlgorithm('tsa_hash_algorithm', body.tsa_hash_algorithm);
  refuseTimeStampServer(body.tsa_server_id);
  refusePolicy(body.policy);
  refuseStore('documents_source', body.documents_source);
  refuseStore('documents_destination', body.documents_destination);
  for (const [field, sentence] of Object.entries(unsupportedFields)) {
    if (field in body) throw refusal('FEATURE_NOT_SUPPORTED', field, sentence);
  }
  const settings: readonly unknown[] = Array.isArray(body.signature_settings) ? body.signature_settings : [];
  for (const [index, setting] of settings.entries()) refuseSetting(`signature_settings[${index}]`, setting);
}

const unsupportedFields: Readonly<Record<string, string>> = {
  notification_callback: 'Notifications are not sent by this instance: query the transaction, with ?wait= if you like.',
  signer_company: 'A signer company can only be shown on a visible signature, which this instance does not make.',
  signature: 'This instance cannot add a signer to an existing signature: leave the field out to sign the content.',
};

/** ICP-Brasil policies by the arc of their OID, 2.16.76.1.7.1.<arc>.<version> (DOC-ICP-15.03). */
const policyArcs: Readonly<Record<string, string>> = {
  1: 'AD-RB',
  2: 'AD-RT',
  3: 'AD-RV',
  4: 'AD-RC',
  5: 'AD-RA',
  11: 'AD-RB',
  12: 'AD-RT',
  13: 'AD-RC',
  14: 'AD-RA',
};

const policiesWithTimeStamp = new Set(['B-T', 'B-LT', 'B-LTA', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA']);
const policiesHere = new Set(['none', 'B-B']);

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

function refuseTimeStampServer(id: unknown): void {
  if (typeof id !== 'string') return;
  const sentence = 'No time-stamp server has this id. Configured ids: none.';
  throw refusal('TSA_NOT_CONFIGURED', 'tsa_server_id', sentence);
}

function refusePolicy(policy: unknown): void {
  if (typeof policy !== 'string' || policiesHere.has(policy)) return;
  const arc = /^2\.16\.76\.1\.7\.1\.(\d+)\./.exec(policy)?.[1] ?? '';
  if (policiesWithTimeStamp.has(policyArcs[arc] ?? policy)) {
    const sentence = 'This policy needs a time stamp, and no time-stamp server is configured: use none or B-B.';
    throw refusal('TSA_NOT_CONFIGURED', 'policy', sentence);
  }
  throw refusal('POLICY_NOT_SUPPORTED', 'policy', 'This policy is not supported here: use none or B-B.');
}

function refuseStore(field: string, store: unknown): void {
  if (store !== 'STORE_A_S3' && store !== 'STORE_B_STORAGE') return;
  throw refusal('STORE_NOT_CONFIGURED', field, `The object store ${store} is not configured on this instance.`);
}

function refuseSetting(name: string, setting: unknown): void {
  if (!isObject(setting)) return;
  const { certify, visible_signature: visible } = setting;
  if (certify !== undefined && !(typeof certify === 'string' && certify.toLowerCase() === 'none')) {
    throw refusal('FEATURE_NOT_SUPPORTED', `${name}.certify`, 'Certifying signatures are not made here: use none.');
  }
  if (visible === false) return;
  const asked = Object.keys(setting).find((key) => /^visible_sign|^extra_?info$/i.test(key) && !isEmpty(setting[key]));
  if (asked === undefined) return;
  const sentence = 'Visible signatures are not made here: leave this field out for an invisible one.';
  throw refusal('FEATURE_NOT_SUPPORTED', `${name}.${asked}`, sentence);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function refusal(code: ServiceErrorCode, field: string, detail: string): ServiceError {
  return new ServiceError(code, `${field}: ${detail}`, { problems: [{ field, code, detail }] });
}
