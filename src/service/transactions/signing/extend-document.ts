/** Extends a signature that has its time stamp to the level of its transaction. */
import { ServiceError } from '../../errors/index.ts';
import type {
  ContentHash,
  PdfKeys,
  RaiseCmsFileRequest,
  RaisePdfRequest,
  StandardWarning,
} from '../../../signing/index.ts';
import { signatureForm } from '../../signature-types/index.ts';
import { choosePolicy, profileOfPolicy, type ChosenPolicy, type SignatureEvidence } from '../choices/choose-policy.ts';
import type { TransactionRecord } from '../records.ts';
import { choiceByHash, cmsLevelOf, pdfLevelOf } from './prepare-signer.ts';

/** A signed document in a file, to be extended into a new file. */
export interface ExtendRequest extends PdfKeys {
  readonly inputPath: string;
  /** Created exclusively, flushed and closed; removed on failure. */
  readonly outputPath: string;
  /** The document of a detached signature. */
  readonly contentPath?: string;
  /** The hash of a document that is not here. */
  readonly contentHash?: ContentHash;
  readonly transaction: TransactionRecord;
  /** DER, if the certificate is known: its chain determines the files of a policy. */
  readonly certificate?: { readonly certificate: Buffer; readonly chain: readonly Buffer[] };
  /** True: a PDF stays unchanged if the extension would break a standard that the file claims. */
  readonly keepStandard?: boolean;
  readonly now: () => Date;
}

/** An extended document. */
export interface ExtendedDocument {
  readonly size: number;
  /** Effects of the time stamps on the standards that a PDF claims. */
  readonly warnings: readonly StandardWarning[];
}

/**
 * Rejects with `SigningError`, also `REVOCATION_TOO_OLD` while there is no newer data, with `ServiceError`, and with the
 * system's errors.
 */
export type ExtendDocument = (request: ExtendRequest) => Promise<ExtendedDocument>;

/** Services of an extension. */
export interface DocumentExtenderParts {
  /** The signing core's own functions, or versions that run where a hostile file does no harm. */
  readonly raisePdf: (request: RaisePdfRequest) => Promise<ExtendedDocument>;
  readonly raiseCms: (
    request: RaiseCmsFileRequest & Pick<RaisePdfRequest, 'timestamper' | 'collector'>,
  ) => Promise<{ readonly size: number }>;
  readonly evidence: SignatureEvidence;
}

/** Extends only the signature of the transaction; other signatures in the same file stay unchanged. */
export function documentExtender({ raisePdf, raiseCms, evidence }: DocumentExtenderParts): ExtendDocument {
  return async ({
    inputPath,
    outputPath,
    contentPath,
    contentHash,
    password,
    recipient,
    keepStandard,
    now,
    ...request
  }) => {
    const { transaction } = request;
    const choice = contentHash === undefined ? transaction : choiceByHash(transaction, contentHash.digest);
    const { timestampServer: server, timestampDigest: digest } = choice;
    const timestamper = await evidence.timestamper({
      server,
      digest,
    });
    const chosen = await chosenPolicy(evidence, request, now());
    const more = { inputPath, outputPath, timestamper, collector: evidence.collector, now };
    if (signatureForm(transaction.type).container === 'pdf') {
      const artifacts = chosen.kind === 'icp-brasil' && chosen.artifacts !== undefined;
      return raisePdf({
        ...more,
        level: pdfLevelOf(chosen) ?? 'B-LTA',
        onlyLast: true,
        password,
        recipient,
        keepStandard,
        ...(artifacts ? { policyArtifacts: chosen.artifacts } : {}),
      });
    }
    const { size } = await raiseCms({
      ...more,
      level: cmsLevelOf(chosen) ?? 'B-LT',
      ofCertificate: transaction.certificateFingerprint,
      contentPath,
      contentHash,
    });
    return { size, warnings: [] };
  };
}

/** The policy determines the levels; its files need the certificate that signed. */
async function chosenPolicy(
  evidence: SignatureEvidence,
  { transaction, certificate }: Pick<ExtendRequest, 'transaction' | 'certificate'>,
  at: Date,
): Promise<ChosenPolicy> {
  const { policy, type, digest } = transaction;
  const signer = certificate ?? { certificate: Buffer.alloc(0), chain: [] };
  const profile = profileOfPolicy(policy);
  if (profile === undefined || certificate !== undefined) {
    return choosePolicy(evidence, { policy, type, digest, at, ...signer });
  }
  const message = 'The certificate that signed is not here now: insert its token, or add its file again.';
  throw new ServiceError('KEY_SOURCE_UNAVAILABLE', message);
}
