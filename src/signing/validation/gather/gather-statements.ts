/** What the signer states about itself and the content in signed attributes (EN 319 122-1 §5.2). Claims, not proofs. */
import { CadesOid } from '../../cms/cades-oids.ts';
import { readOid, readString, type DerElement } from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import type { SignerInfo } from '../../signed-data/signed-data.ts';
import type { SignerStatements } from '../validation-report.ts';

const COMMITMENTS: ReadonlyMap<string, string> = new Map([
  [CadesOid.proofOfOrigin, 'origin'],
  [CadesOid.proofOfReceipt, 'receipt'],
  [CadesOid.proofOfDelivery, 'delivery'],
  [CadesOid.proofOfSender, 'sender'],
  [CadesOid.proofOfApproval, 'approval'],
  [CadesOid.proofOfCreation, 'creation'],
]);

/** Maximum number of texts of one attribute, and of characters of a text; honest signatures have a few short ones. */
const MAX_TEXTS = 20;
const MAX_LENGTH = 500;
const MAX_DEPTH = 8;

/** All character strings inside an element, in order. */
function textsIn(element: DerElement, depth = 0): readonly string[] {
  if (depth > MAX_DEPTH) return [];
  if (element.constructed) return element.children.flatMap((child) => textsIn(child, depth + 1));
  try {
    return [readString(element, 'a text').slice(0, MAX_LENGTH)];
  } catch (error) {
    if (error instanceof SigningError) return [];
    throw error;
  }
}

/** Attributes with statements. */
const STATEMENTS: ReadonlySet<string> = new Set([
  CadesOid.commitmentTypeIndication,
  CadesOid.signerAttributesV2,
  CadesOid.signerLocation,
  CadesOid.contentHints,
  CadesOid.mimeType,
]);

/** The statements; an attribute that cannot be read states nothing here. */
export function gatherStatements({ signedAttributes }: SignerInfo): SignerStatements | undefined {
  if (!signedAttributes.some(({ oid }) => STATEMENTS.has(oid))) return undefined;
  const values = (wanted: string): readonly DerElement[] =>
    signedAttributes.filter(({ oid }) => oid === wanted).flatMap((attribute) => attribute.values);
  const textsOf = (oid: string): readonly string[] =>
    values(oid)
      .flatMap((value) => textsIn(value))
      .slice(0, MAX_TEXTS);
  const commitments = values(CadesOid.commitmentTypeIndication).flatMap((value) => {
    try {
      const oid = readOid(value.child(0, 'the commitment'), 'the commitment');
      return [COMMITMENTS.get(oid) ?? oid];
    } catch (error) {
      if (error instanceof SigningError) return [];
      throw error;
    }
  });
  const statements: SignerStatements = {
    claimedRoles: textsOf(CadesOid.signerAttributesV2),
    place: textsOf(CadesOid.signerLocation),
    commitments: commitments.slice(0, MAX_TEXTS),
    contentHints: [...textsOf(CadesOid.contentHints), ...textsOf(CadesOid.mimeType)],
  };
  return Object.values(statements).some((list: readonly string[]) => list.length > 0) ? statements : undefined;
}
