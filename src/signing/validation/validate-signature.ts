/**
 * Validates CMS and CAdES signatures (EN 319 102-1): facts are gathered once, the verdict is a pure function of the
 * facts, the report comes last. A wrong or odd signature is a verdict; errors are for input other than a signature.
 */
import { SigningError } from '../errors.ts';
import { Oid } from '../der/oids.ts';
import type { SignatureFacts, TimestampFacts } from './facts.ts';
import { EvidencePool, type GatherContext } from './gather/evidence-pool.ts';
import {
  addRecordsBeside,
  digestsOfContent,
  gatherRecords,
  gatherRecordsBeside,
  keysOfMessage,
  withRecordsBeside,
  type RecordsBeside,
} from './gather/gather-evidence-record.ts';
import { addEvidenceRecord, addMaterial } from './gather/gather-material.ts';
import { gatherSigner } from './gather/gather-signer.ts';
import { gatherTimestamp } from './gather/gather-timestamp.ts';
import { withOpenSignature, type OpenRecord, type OpenSignature } from './input/open-signature.ts';
import { judgeFile, rulesOf } from './judge/judge-file.ts';
import { protectionOfRecord } from './judge/protection.ts';
import { finding, worstOf } from './judge/verdict.ts';
import { signatureReport, timestampReport, withCounterSignatures } from './report/write-report.ts';
import type { ValidationCheck, ValidationReport } from './validation-report.ts';
import type { SignatureInput, ValidationOptions, ValidationServices } from './validation-request.ts';

/** The gathering context of a validation, from its services and options. */
export function gatherContext(services: ValidationServices, { at, signal }: ValidationOptions): GatherContext {
  const time = at ?? services.now();
  return {
    services,
    at: time,
    pool: new EvidencePool(time, services.trust.refused),
    chains: new Map(),
    signal,
  };
}

async function gatherSignatures(open: OpenSignature, context: GatherContext): Promise<readonly SignatureFacts[]> {
  const { signedData, envelope, message, encapsulated, enclosed, given, raw, wrapping } = open;
  const place = { envelope, message, encapsulated, isAttached: enclosed !== undefined, raw };
  addMaterial(context.pool, open);
  const found: SignatureFacts[] = [];
  for (const [index, info] of signedData.signers.entries()) {
    const subject = {
      id: String(index + 1),
      info,
      contentType: signedData.contentType,
      misshapen: signedData.misshapen,
      content: enclosed ?? given,
      given: enclosed === undefined ? undefined : given,
      isPdf: false,
      depth: 0,
    };
    const facts = await gatherSigner({ ...subject, place: { ...place, index } }, context);
    found.push(wrapping.behind === 'other' ? { ...facts, hasBytesBehind: true } : facts);
  }
  return found;
}

function inputChecks({ wrapping }: OpenSignature): readonly ValidationCheck[] {
  return [
    ...(wrapping.pem ? [finding('PEM_UNWRAPPED', 'The signature was inside PEM.')] : []),
    ...(wrapping.mime ? [finding('MIME_UNWRAPPED', 'The signature was inside an S/MIME message.')] : []),
    ...(wrapping.behind === 'padding'
      ? [finding('PADDING_BEHIND_SIGNATURE', 'Zeros or white space follow the signature.')]
      : []),
    ...(wrapping.ber ? [finding('ENCODING_NOT_DER', 'The signature is in BER, not in DER.')] : []),
  ];
}

/** A time stamp token in a file of its own, over the given content (RFC 3161 §2.4.2). */
async function validateToken(
  open: OpenSignature,
  context: GatherContext,
  options: ValidationOptions,
): Promise<ValidationReport> {
  const { given, message } = open;
  addMaterial(context.pool, open);
  const facts = await gatherTimestamp(
    {
      role: 'content',
      der: message,
      stamped: async (algorithm) => ({
        imprints: given === undefined ? [] : [await given.signed.digestOf(algorithm)],
        covers: [],
      }),
    },
    context,
  );
  const { at } = context;
  const whole: TimestampFacts =
    open.wrapping.behind === 'other' ? { ...facts, damage: 'Bytes stand behind the time stamp.' } : facts;
  const judged = judgeFile({ signatures: [], documentTimestamps: [whole] }, rulesOf(options), at);
  const documentTimestamps = judged.documentTimestamps.map((one) => timestampReport(one, at));
  return {
    kind: 'timestamp',
    ...worstOf(documentTimestamps),
    signatures: [],
    documentTimestamps,
    validatedAt: at,
    checks: inputChecks(open),
    contentDigest: given === undefined ? undefined : (await given.signed.digestOf('sha256')).toString('hex'),
  };
}

/** An evidence record in a file of its own, over the given content (RFC 4998 §3.2). */
async function validateRecord(
  { record, given }: OpenRecord,
  context: GatherContext,
  options: ValidationOptions,
): Promise<ValidationReport> {
  addEvidenceRecord(context.pool, record);
  const subject = { der: record, digestsOf: digestsOfContent(given), covers: [] };
  const facts = await gatherRecords([subject], context);
  const { at } = context;
  const rules = rulesOf(options);
  const judged = judgeFile({ signatures: [], documentTimestamps: facts }, rules, at);
  const documentTimestamps = judged.documentTimestamps.map((one) => timestampReport(one, at));
  return {
    kind: 'evidence-record',
    ...worstOf(documentTimestamps),
    signatures: [],
    documentTimestamps,
    validatedAt: at,
    checks: [],
    protection: protectionOfRecord(judged.documentTimestamps, rules.algorithms),
    contentDigest: (await given?.signed.digestOf('sha256'))?.toString('hex'),
  };
}

/** Facts about the time stamps of the records beside a message. */
function gatherRecordsOver(
  { envelope, enclosed, given }: OpenSignature,
  beside: RecordsBeside,
  context: GatherContext,
): Promise<readonly TimestampFacts[]> {
  const detached = enclosed === undefined ? given : undefined;
  return gatherRecordsBeside(beside, detached, keysOfMessage(envelope, context.pool), context);
}

async function validate(
  open: OpenSignature | OpenRecord,
  beside: RecordsBeside | undefined,
  services: ValidationServices,
  options: ValidationOptions,
): Promise<ValidationReport> {
  const isToken =
    'signedData' in open && open.signedData.contentType === Oid.timeStampInfo && open.enclosed !== undefined;
  if (beside !== undefined && ('record' in open || isToken)) {
    throw new SigningError('CMS_UNSUPPORTED', 'Evidence records are judged beside signatures, not beside time stamps.');
  }
  if ('record' in open) return validateRecord(open, gatherContext(services, options), options);
  if (open.signedData.signers.length === 0) {
    throw new SigningError('CMS_UNSUPPORTED', 'This file holds certificates, but no signature.');
  }
  const context = gatherContext(services, options);
  if (isToken) return validateToken(open, context, options);
  if (beside !== undefined) addRecordsBeside(beside, context.pool);
  const facts = await gatherSignatures(open, context);
  const records = beside === undefined ? [] : await gatherRecordsOver(open, beside, context);
  const { at } = context;
  const judged = judgeFile({ signatures: facts, documentTimestamps: records }, rulesOf(options), at);
  const signatures = judged.signatures.map((one) => signatureReport(one, at));
  const content = open.enclosed ?? open.given;
  return {
    kind: open.enclosed === undefined ? 'cms-detached' : 'cms-attached',
    ...worstOf(signatures.flatMap(withCounterSignatures)),
    signatures,
    documentTimestamps: judged.documentTimestamps.map((one) => timestampReport(one, at)),
    validatedAt: at,
    checks: inputChecks(open),
    contentDigest: content === undefined ? undefined : (await content.signed.digestOf('sha256')).toString('hex'),
  };
}

/**
 * Validates a CMS or CAdES signature, DER, BER, PEM or S/MIME; a detached signature with its content, in memory or in
 * files of any size. A time stamp and an evidence record (RFC 4998) are judged over the content. Evidence records beside
 * a signature prove when it existed (EN 319 102-1 §5.6). Rejects with `CMS_MALFORMED` for input other than a signature,
 * `CMS_UNSUPPORTED`, `CANCELLED`, and the system's errors.
 */
export function validateSignature(
  input: SignatureInput,
  services: ValidationServices,
  options: ValidationOptions = {},
): Promise<ValidationReport> {
  return withRecordsBeside(input.records, input.signature, (beside) =>
    withOpenSignature(input, (open) => validate(open, beside, services, options)),
  );
}
