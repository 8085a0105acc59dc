/** The addresses of revocation data and of the issuer in a certificate (RFC 5280 §4.2.1.13, §4.2.2.1). */
import { isDataError, SigningError } from '../errors.ts';
import type { HttpClient, HttpRequest } from '../http-client.ts';
import { contextTag, primitiveContextTag, readDer, readOid, type DerElement } from '../der/reader.ts';
import {
  GeneralNameKind,
  generalNameText,
  readGeneralName,
  type GeneralName,
} from '../certificates/path/distinguished-name.ts';
import type { Certificate } from '../certificates/certificate.ts';
import { detectFileKind, kindNames, type FileKind } from '../../values/file-kind.ts';
import { ProblemError } from './revocation-result.ts';
import { ALL_REASONS, reasonMask, relativeTo } from './reasons.ts';

/** Object identifiers of revocation: CRL extensions (RFC 5280 §5.2, §5.3), access methods and OCSP (RFC 6960, RFC 9654). */
export const RevocationOid = {
  authorityKeyIdentifier: '2.5.29.35',
  crlNumber: '2.5.29.20',
  reasonCode: '2.5.29.21',
  invalidityDate: '2.5.29.24',
  deltaCrlIndicator: '2.5.29.27',
  issuingDistributionPoint: '2.5.29.28',
  certificateIssuer: '2.5.29.29',
  crlDistributionPoints: '2.5.29.31',
  expiredCertificatesOnCrl: '2.5.29.60',
  authorityInformationAccess: '1.3.6.1.5.5.7.1.1',
  ocsp: '1.3.6.1.5.5.7.48.1',
  caIssuers: '1.3.6.1.5.5.7.48.2',
  basicOcspResponse: '1.3.6.1.5.5.7.48.1.1',
  ocspNonce: '1.3.6.1.5.5.7.48.1.2',
  ocspNoCheck: '1.3.6.1.5.5.7.48.1.5',
  archiveCutoff: '1.3.6.1.5.5.7.48.1.6',
} as const;

/** Kinds of answers that a network's login page, or a server that moved its files, gives instead of data. */
const PAGES: ReadonlySet<FileKind> = new Set(['empty', 'html', 'xml', 'json']);

/**
 * An exchange that needs a body with status 200. Rejects with `NETWORK_…`; with the problem `NO_DATA` for an empty body
 * or a page.
 */
export async function fetchBytes(http: HttpClient, request: HttpRequest): Promise<Buffer> {
  const { status, body } = await http.send(request);
  const { host } = new URL(request.url);
  if (status !== 200) throw new SigningError('NETWORK_UNREACHABLE', `${host} answered with status ${status}.`);
  const { kind } = detectFileKind(body);
  if (PAGES.has(kind)) {
    const sentence = `${host} answered, but with ${kind === 'empty' ? 'nothing' : kindNames[kind]} instead of the data.`;
    throw new ProblemError({ code: 'NO_DATA', sentence });
  }
  return body;
}

const PEM_CRL = /-----BEGIN X509 CRL-----([^-]+)-----END X509 CRL-----/;

/** DER of a CRL in DER or in PEM, as served by some authorities. */
export function crlDer(body: Buffer): Buffer {
  if (!body.subarray(0, 4096).includes('-----BEGIN')) return body;
  const match = PEM_CRL.exec(body.toString('latin1'));
  return match?.[1] === undefined ? body : Buffer.from(match[1], 'base64');
}

/** Addresses over `http:` and `https:`, trimmed, in the certificate's order; others (LDAP) are left out. */
export interface RevocationSources {
  readonly ocsp: readonly string[];
  readonly crls: readonly string[];
  /** Addresses of the issuer's certificate. */
  readonly issuers: readonly string[];
  /** True when the certificate names addresses, and none of them is asked. */
  readonly isOnlyElsewhere: boolean;
  /** To compare with a CRL's own distribution point. */
  readonly points: readonly DistributionPoint[];
}

/** A distribution point of a certificate (RFC 5280 §4.2.1.13). */
export interface DistributionPoint {
  /** Undefined when the point has no name. */
  readonly names: readonly GeneralName[] | undefined;
  /** Mask of the reasons of its lists. */
  readonly reasons: number;
  /** DER of the Names of other issuers of its lists; undefined: the certificate's issuer. */
  readonly crlIssuers: readonly Buffer[] | undefined;
}

/** Limit on addresses. ICP-Brasil's certificates name two or three, and further addresses are ignored. */
const MAX_ADDRESSES = 8;

/** The address of a URI name, or nothing. Some certificates have spaces after an address. */
function httpAddress(name: GeneralName): readonly string[] {
  if (name.kind !== GeneralNameKind.uri) return [];
  const text = generalNameText(name).trim();
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? [text] : [];
}

const limited = (addresses: readonly string[]): readonly string[] => [...new Set(addresses)].slice(0, MAX_ADDRESSES);

function extensionChildren(certificate: Certificate, oid: string): readonly DerElement[] {
  const extension = certificate.extensions.get(oid);
  return extension === undefined ? [] : readDer(extension.value).children;
}

function readPoint(point: DerElement, certificate: Certificate): DistributionPoint {
  const name = point.find(contextTag(0));
  const reasons = point.find(primitiveContextTag(1));
  const crlIssuers = point
    .find(contextTag(2))
    ?.children.map(readGeneralName)
    .filter(({ kind }) => kind === GeneralNameKind.directory)
    .map(({ value }) => value);
  const relative = name?.find(contextTag(1));
  const fullName = name?.find(contextTag(0))?.children.map(readGeneralName);
  const names = relative && [relativeTo(crlIssuers?.[0] ?? certificate.issuer, relative)];
  return {
    names: fullName ?? names,
    reasons: reasons === undefined ? ALL_REASONS : reasonMask(reasons.content),
    crlIssuers,
  };
}

function accessAddresses(certificate: Certificate, method: string): readonly string[] {
  return extensionChildren(certificate, RevocationOid.authorityInformationAccess)
    .filter((description) => readOid(description.child(0, 'an access method'), 'an access method') === method)
    .flatMap((description) => httpAddress(readGeneralName(description.child(1, 'an access location'))));
}

const NO_SOURCES: RevocationSources = { ocsp: [], crls: [], issuers: [], isOnlyElsewhere: false, points: [] };

const known = new WeakMap<Certificate, RevocationSources>();

/** The certificate's sources; none where the extensions cannot be read. Read once for each certificate. */
export function readRevocationSources(certificate: Certificate): RevocationSources {
  const sources = known.get(certificate) ?? readSources(certificate);
  known.set(certificate, sources);
  return sources;
}

function readSources(certificate: Certificate): RevocationSources {
  try {
    const points = extensionChildren(certificate, RevocationOid.crlDistributionPoints).map((point) =>
      readPoint(point, certificate),
    );
    // Lists of other issuers, or for some reasons only, are used when embedded, but never fetched.
    const fetched = points.filter(({ reasons, crlIssuers }) => reasons === ALL_REASONS && crlIssuers === undefined);
    const ocsp = limited(accessAddresses(certificate, RevocationOid.ocsp));
    const addresses = points.flatMap(({ names = [] }) => names).filter(({ kind }) => kind === GeneralNameKind.uri);
    const crls = limited(fetched.flatMap(({ names = [] }) => names).flatMap(httpAddress));
    return {
      ocsp,
      crls,
      isOnlyElsewhere: ocsp.length + addresses.flatMap(httpAddress).length === 0 && addresses.length > 0,
      issuers: limited(accessAddresses(certificate, RevocationOid.caIssuers)),
      points,
    };
  } catch (error) {
    if (isDataError(error)) return NO_SOURCES;
    throw error;
  }
}
