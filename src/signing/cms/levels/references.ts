/** References to certificates and revocation data, and their values, as attributes (RFC 5126 §6.2, §6.3). */
import type { Certificate } from '../../certificates/certificate.ts';
import { type DerElement, Tag, contextTag, readBitStringBytes, readDer, readOid } from '../../der/reader.ts';
import { derContext, derElement, derOctetString, derSequence, derOid } from '../../der/writer.ts';
import type { TimestampDigest } from '../../keys/signer.ts';
import type { ValidationMaterial } from '../../revocation/revocation-result.ts';
import { digestIdentifier, digestBytes } from '../../algorithms/algorithms.ts';
import { CadesOid } from '../cades-oids.ts';
import { digestOfOid } from '../../algorithms/signature-algorithm.ts';

/** OtherHashAlgAndValue (RFC 5126 §6.2.1). */
const otherHash = (digest: TimestampDigest, der: Buffer): Buffer =>
  derSequence(digestIdentifier(digest), derOctetString(digestBytes(digest, der)));

function certificateReference(digest: TimestampDigest, { der, issuer, serialNumber }: Certificate): Buffer {
  const issuerSerial = derSequence(derSequence(derContext(4, issuer)), derElement(Tag.integer, serialNumber));
  return derSequence(otherHash(digest, der), issuerSerial);
}

/** The identity of a revocation list (RFC 5280 §5.1.2). */
interface CrlFacts {
  readonly der: Buffer;
  readonly issuer: Buffer;
  readonly thisUpdate: Buffer;
  /** DER of the INTEGER. */
  readonly number: Buffer | undefined;
}

/** Reads the elements at the edges of a list and skips its entries, because a list may have hundreds of thousands. */
function readCrl(der: Buffer): CrlFacts {
  const fields = readDer(der).child(0, 'the list').children;
  const start = fields[0]?.tag === Tag.integer ? 1 : 0;
  const [issuer, thisUpdate] = [fields[start + 1], fields[start + 2]];
  const extensions = fields.find(({ tag }) => tag === contextTag(0))?.child(0, 'the extensions').children ?? [];
  const number = extensions.find((element) => readOid(element.child(0, 'an extension')) === CadesOid.crlNumber);
  return {
    der,
    issuer: issuer?.expect(Tag.sequence, 'the issuer of the list').bytes ?? Buffer.alloc(0),
    thisUpdate: thisUpdate?.bytes ?? Buffer.alloc(0),
    number: number && readDer(number.children.at(-1)?.content ?? Buffer.alloc(0)).bytes,
  };
}

/** The identity of an OCSP response (RFC 6960 §4.2.1). */
interface OcspFacts {
  readonly der: Buffer;
  /** DER of ResponderID and producedAt. */
  readonly responder: Buffer;
  readonly producedAt: Buffer;
  readonly answers: readonly DerElement[];
}

function readOcsp(der: Buffer): OcspFacts {
  const fields = readDer(der).child(0, 'the response').children;
  const start = fields[0]?.tag === contextTag(0) ? 1 : 0;
  const [responder, producedAt, answers] = fields.slice(start);
  return {
    der,
    responder: responder?.bytes ?? Buffer.alloc(0),
    producedAt: producedAt?.expect(Tag.generalizedTime, 'the time of the response').bytes ?? Buffer.alloc(0),
    answers: answers?.children ?? [],
  };
}

/** True when an answer is about this certificate; issuers are compared by name and key (§4.1.1). */
function answersFor({ answers }: OcspFacts, certificate: Certificate, all: readonly Certificate[]): boolean {
  return answers.some((answer) => {
    const [algorithm, name, key, serial] = answer.child(0, 'CertID').children;
    if (algorithm === undefined || serial?.content.equals(certificate.serialNumber) !== true) return false;
    const digest = digestOfOid(readOid(algorithm.child(0, 'the hash function')));
    if (digest === undefined || name?.content.equals(digestBytes(digest, certificate.issuer)) !== true) return false;
    const issuers = all.filter(({ subject }) => subject.equals(certificate.issuer));
    const keyOf = ({ publicKeyInfo }: Certificate): Buffer =>
      readBitStringBytes(readDer(publicKeyInfo).child(1, 'the key'), 'the key');
    return issuers.length === 0 || issuers.some((issuer) => key?.content.equals(digestBytes(digest, keyOf(issuer))));
  });
}

function crlReference(digest: TimestampDigest, { der, issuer, thisUpdate, number }: CrlFacts): Buffer {
  const identifier = derSequence(issuer, thisUpdate, ...(number === undefined ? [] : [number]));
  return derSequence(otherHash(digest, der), identifier);
}

const ocspReference = (digest: TimestampDigest, { der, responder, producedAt }: OcspFacts): Buffer =>
  derSequence(derSequence(responder, producedAt), otherHash(digest, der));

/** A CrlOcspRef of the revocation data about one certificate; empty for an anchor. */
function revocationReference(crls: readonly Buffer[], responses: readonly Buffer[]): Buffer {
  return derSequence(
    ...(crls.length === 0 ? [] : [derContext(0, derSequence(derSequence(...crls)))]),
    ...(responses.length === 0 ? [] : [derContext(1, derSequence(derSequence(...responses)))]),
  );
}

/** The values of the two attributes. */
export interface References {
  /** CompleteCertificateRefs: everything but the signer's own certificate. */
  readonly certificates: Buffer;
  /** CompleteRevocationRefs: for the signer's certificate, then for each of the others in the same order. */
  readonly revocations: Buffer;
}

/** References to all the material for a signer. Throws `DER_MALFORMED` when a list or a response is damaged. */
export function writeReferences(
  digest: TimestampDigest,
  signer: Certificate,
  material: ValidationMaterial,
): References {
  const others = material.certificates.filter(({ fingerprint }) => fingerprint !== signer.fingerprint);
  const crls = material.crls.map(readCrl);
  const responses = material.ocspResponses.map(readOcsp);
  const all = [signer, ...others];
  const revocations = all.map((certificate) =>
    revocationReference(
      crls.filter(({ issuer }) => issuer.equals(certificate.issuer)).map((crl) => crlReference(digest, crl)),
      responses
        .filter((response) => answersFor(response, certificate, all))
        .map((response) => ocspReference(digest, response)),
    ),
  );
  return {
    certificates: derSequence(...others.map((certificate) => certificateReference(digest, certificate))),
    revocations: derSequence(...revocations),
  };
}

/** CertificateValues (RFC 5126 §6.3.3): the signer's certificate and all others. */
export function writeCertificateValues(signer: Certificate, { certificates }: ValidationMaterial): Buffer {
  const others = certificates.filter(({ fingerprint }) => fingerprint !== signer.fingerprint);
  return derSequence(signer.der, ...others.map(({ der }) => der));
}

/** RevocationValues (RFC 5126 §6.3.4). */
export function writeRevocationValues({ crls, ocspResponses }: ValidationMaterial): Buffer {
  return derSequence(
    ...(crls.length === 0 ? [] : [derContext(0, derSequence(...crls))]),
    ...(ocspResponses.length === 0 ? [] : [derContext(1, derSequence(...ocspResponses))]),
  );
}

// Revocation data in the form of SignedData.crls (RFC 5652 §10.2.1, RFC 5940 §2.1).

const SUCCESSFUL = derElement(Tag.enumerated, Buffer.of(0));

/** OCSPResponse around a basic response (RFC 6960 §4.2.1), the form in `crls` by RFC 5940. */
function ocspResponse(basic: Buffer): Buffer {
  const bytes = derSequence(derOid(CadesOid.basicOcspResponse), derOctetString(basic));
  return derSequence(SUCCESSFUL, derContext(0, bytes));
}

/** RevocationInfoChoice for each list and each response. */
export function revocationChoices({ crls, ocspResponses }: ValidationMaterial): readonly Buffer[] {
  return [
    ...crls,
    ...ocspResponses.map((basic) => derContext(1, derOid(CadesOid.ocspRevocationInfo), ocspResponse(basic))),
  ];
}
