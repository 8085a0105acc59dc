/** Facts about a signature field of a PDF, by the kind of its contents (ISO 32000-2 §12.8.3, EN 319 142-1). */
import type { PdfSignatureFacts } from '../../pdf/differences/pdf-facts.ts';
import type { IntegrityFacts, SignatureFacts } from '../facts.ts';
import { openDigests, type OpenContent, type openDer } from '../input/open-signature.ts';
import type { GatherContext } from './evidence-pool.ts';
import { damagedSignature, gatherSigner, type SignerSubject } from './gather-signer.ts';

/** Kinds of signatures with a CMS over the byte range. */
const DETACHED: ReadonlySet<string> = new Set(['adbe.pkcs7.detached', 'ETSI.CAdES.detached', 'PBAD.PAdES']);
/** A CMS around the SHA-1 digest of the byte range (ISO 32000-1 §12.8.3.3.1). */
const DIGEST_ENCLOSED = 'adbe.pkcs7.sha1';

/** True for supported kinds; the signature of an unsupported kind can be neither confirmed nor refuted. */
export const isKnownKind = ({ subFilter }: PdfSignatureFacts): boolean =>
  DETACHED.has(subFilter) || subFilter === DIGEST_ENCLOSED;

async function compareDigest(pdf: PdfSignatureFacts, enclosed: OpenContent): Promise<IntegrityFacts | undefined> {
  const digest = await pdf.digestOf('sha1');
  if ((await enclosed.head(digest.length + 1)).equals(digest)) return undefined;
  const reason = 'The document is not what was signed: its digest differs.';
  return { outcome: 'broken', problem: 'content-changed', reason };
}

/** Only SHA-1 protects the document, whatever hash function the CMS itself uses. */
async function gatherEnclosedDigest(
  pdf: PdfSignatureFacts,
  enclosed: OpenContent | undefined,
  subject: Omit<SignerSubject, 'content'>,
  context: GatherContext,
): Promise<SignatureFacts> {
  if (enclosed === undefined) {
    return damagedSignature(subject.id, 'PDF', 'The signature does not enclose the digest of the document.');
  }
  const facts = await gatherSigner({ ...subject, content: enclosed }, context);
  const isIntact = facts.integrity.outcome === 'intact';
  return {
    ...facts,
    integrity: (isIntact ? await compareDigest(pdf, enclosed) : undefined) ?? facts.integrity,
    algorithms: [{ kind: 'hash', name: 'sha1' }, ...facts.algorithms],
  };
}

/** Gathers facts about the signature in a field with an open CMS. */
export async function gatherPdfSignature(
  id: string,
  pdf: PdfSignatureFacts,
  { signedData, enclosed }: Pick<ReturnType<typeof openDer>, 'signedData' | 'enclosed'>,
  context: GatherContext,
): Promise<SignatureFacts> {
  const [info, second] = signedData.signers;
  if (info === undefined || second !== undefined) {
    return damagedSignature(id, 'PDF', 'A signature in a PDF has one signer, no more and no less.');
  }
  if (pdf.problem !== undefined) return damagedSignature(id, 'PDF', pdf.problem.sentence);
  const { contentType } = signedData;
  const subject = { id, info, contentType, isPdf: true, dictionaryTime: pdf.claimedTime, depth: 0 };
  if (pdf.subFilter === DIGEST_ENCLOSED) return gatherEnclosedDigest(pdf, enclosed, subject, context);
  return gatherSigner({ ...subject, content: openDigests(pdf.digestOf), given: enclosed }, context);
}
