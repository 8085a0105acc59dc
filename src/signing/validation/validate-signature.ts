/**
 * Validates CMS and CAdES signatures (EN 319 102-1): facts are gathered once, the verdict is a pure function of the
 * facts, the report comes last. A wrong or odd signature is a verdict; errors are for input other than a signature.
 */
import { SigningError } from '../errors.ts';
import type { SignatureFacts } from './facts.ts';
import { EvidencePool, type GatherContext } from './gather/evidence-pool.ts';
import { addMaterial } from './gather/gather-material.ts';
import { gatherSigner } from './gather/gather-signer.ts';
import { withOpenSignature, type OpenSignature } from './input/open-signature.ts';
import { judgeFile, rulesOf } from './judge/judge-file.ts';
import { finding, worstOf } from './judge/verdict.ts';
import { signatureReport } from './report/write-report.ts';
import type { ValidationCheck, ValidationReport } from './validation-report.ts';
import type { SignatureInput, ValidationOptions, ValidationServices } from './validation-request.ts';

/** The gathering context of a validation, from its services and options. */
export function gatherContext(services: ValidationServices, { at, signal }: ValidationOptions): GatherContext {
  const time = at ?? services.now();
  return {
    services,
    at: time,
    pool: new EvidencePool(services.trust.anchors, time),
    chains: new Map(),
    signal,
  };
}

async function gatherSignatures(open: OpenSignature, context: GatherContext): Promise<readonly SignatureFacts[]> {
  const { signedData, envelope, encapsulated, enclosed, given } = open;
  addMaterial(context.pool, open);
  const found: SignatureFacts[] = [];
  for (const [index, info] of signedData.signers.entries()) {
    const subject = {
      id: String(index + 1),
      info,
      contentType: signedData.contentType,
      content: enclosed ?? given,
      given: enclosed === undefined ? undefined : given,
      isPdf: false,
      depth: 0,
    };
    found.push(await gatherSigner({ ...subject, place: { envelope, encapsulated, index } }, context));
  }
  return found;
}

function inputChecks({ wrapping }: OpenSignature): readonly ValidationCheck[] {
  return [
    ...(wrapping.pem ? [finding('PEM_UNWRAPPED', 'The signature was inside PEM.')] : []),
    ...(wrapping.mime ? [finding('MIME_UNWRAPPED', 'The signature was inside an S/MIME message.')] : []),
    ...(wrapping.ber ? [finding('ENCODING_NOT_DER', 'The signature is in BER, not in DER.')] : []),
  ];
}

async function validate(
  open: OpenSignature,
  services: ValidationServices,
  options: ValidationOptions,
): Promise<ValidationReport> {
  if (open.signedData.signers.length === 0) {
    throw new SigningError('CMS_MALFORMED', 'This file holds certificates, but nobody signed anything in it.');
  }
  const context = gatherContext(services, options);
  const facts = await gatherSignatures(open, context);
  const { at } = context;
  const judged = judgeFile({ signatures: facts, documentTimestamps: [] }, rulesOf(options), at);
  const signatures = judged.signatures.map((one) => signatureReport(one, at));
  const content = open.enclosed ?? open.given;
  return {
    kind: open.enclosed === undefined ? 'cms-detached' : 'cms-attached',
    ...worstOf(signatures),
    signatures,
    documentTimestamps: [],
    validatedAt: at,
    checks: inputChecks(open),
    ...(content === undefined ? {} : { contentDigest: (await content.signed.digestOf('sha256')).toString('hex') }),
  };
}

/**
 * Validates a CMS or CAdES signature, DER, BER, PEM or S/MIME; a detached signature with its content, in memory or in
 * files of any size. Rejects with `CMS_MALFORMED` for input other than a signature, `CMS_UNSUPPORTED`, `CANCELLED`, and
 * the system's errors.
 */
export function validateSignature(
  input: SignatureInput,
  services: ValidationServices,
  options: ValidationOptions = {},
): Promise<ValidationReport> {
  return withOpenSignature(input, (open) => validate(open, services, options));
}
