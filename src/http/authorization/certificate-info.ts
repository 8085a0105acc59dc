import { z } from 'zod';
import type { Request, RequestHandler } from 'express';
import type { Applications } from '../../service/applications/index.ts';
import type { Authorization } from '../../service/authorization/index.ts';
import type { CertificateInformation } from '../../service/certificates/index.ts';
import { pathsWithSpellings } from '../client-spellings.ts';
import { hangUpOf } from '../guard-request.ts';
import { HttpError } from '../http-error.ts';
import { accessTokenOf, expectTokenOfSite } from './credentials.ts';
import { invalidFields } from '../read-body.ts';
import { json } from '../openapi/problems.ts';
import { withCredentials, type Operation } from '../operation.ts';

const text = z.string().nullable();

/** A finding inside `detail`. */
export const findingBody = z
  .object({ status: z.boolean(), code: z.number().int(), message: z.string() })
  .meta({ id: 'Finding' });

/** The finding about the certificate's chain. */
export const trustBody = findingBody
  .extend({ chain: z.string().meta({ description: 'Names from the certificate upwards, joined by " > ".' }) })
  .meta({ id: 'TrustFinding' });

const time = z.string().meta({ description: 'YYYY-MM-DDThh:mm:ss+0000', examples: ['2026-01-02T03:04:05+0000'] });

const policy = z.object({
  oid: text,
  dpc: text.meta({ description: 'Address of the practice statement.' }),
  name: text,
  type: text.meta({ description: 'A1 to A4, S1 to S4, T3, T4, SE-S, SE-H, AE-S, AE-H, CF-e-SAT, OM-BR.' }),
});

const issuer = z.object({
  crl: z.array(z.string()),
  dn: z.string(),
  cn: z.string(),
  aia: text,
  keyIdentifier: text.meta({ description: 'Base64' }),
  fingerprint: text.meta({ description: "SHA-1 of the issuer's certificate; null where that is not known here." }),
});

const subject = z.object({
  email: text,
  dataNascimento: text.meta({ description: 'YYYY-MM-DD' }),
  cpf: text,
  nis: text,
  rg: z.object({ numero: text, emissor: text, uf: text }),
  cei: text,
  tituloEleitor: z.object({ numero: text, zona: text, secao: text, municipio: text, uf: text }),
  cnpj: text.meta({ description: '14 characters; letters are possible.' }),
  razaoSocial: text,
  responsavel: text,
});

/** The certificate itself. */
export const describedCertificateBody = z
  .object({
    version: z.string(),
    dn: z.string(),
    cn: z.string(),
    basicConstraints: z.object({ cA: z.boolean() }),
    validity: z.object({ notBefore: time, notAfter: time }),
    keyIdentifier: text.meta({ description: 'Base64' }),
    fingerprint: z.string().meta({ description: 'SHA-1, lower-case hex.' }),
    fingerprint_sha256: z.string(),
    keyUsage: z.array(z.string()),
    extKeyUsage: z.array(z.string()),
    serialNumberHex: z.string(),
    algorithm: z.string(),
    policy,
    signature: z.string().meta({ description: 'Base64' }),
    publicKey: z.object({ algorithm: z.string(), bits: z.number().int().nullable(), pem: z.string() }),
    issuer,
    subject,
    hierarchy: z.enum(['ICP-Brasil', 'gov.br', 'test', 'other']).nullable(),
  })
  .meta({ id: 'CertificateDescription', description: 'Null where the certificate does not say; all zeros is absent.' });

/** Answer of endpoint 10. */
export const certificateInfoBody = z
  .object({
    certificates: z.array(
      z.object({
        alias: z.string(),
        detail: z.object({ date: findingBody, crl: findingBody, trust: trustBody }),
        certificate: describedCertificateBody,
      }),
    ),
  })
  .meta({ id: 'CertificateInformation' });

/** Services of certificate information. */
export interface CertificateInformationParts {
  readonly identity: {
    readonly authorization: Pick<Authorization, 'readToken'>;
    readonly applications: Pick<Applications, 'find'>;
    readonly certificates: CertificateInformation;
  };
}

/** The findings about a certificate, as the examples of answers show them. */
export const findingExample = {
  date: { status: true, code: 1187, message: 'Date of certificate is valid' },
  crl: { status: true, code: 1191, message: 'CRL is valid' },
  trust: {
    status: true,
    code: 1189,
    message: 'Chain of certificate is trusted',
    chain: 'MARIA DA SILVA > AC Exemplo > Autoridade Certificadora Raiz Brasileira v5',
  },
};

/** A certificate, as the examples of answers show it. */
export const certificateExample = {
  version: 'v3',
  dn: 'CN=MARIA DA SILVA:52998224725, O=ICP-Brasil, C=BR',
  cn: 'MARIA DA SILVA:52998224725',
  basicConstraints: { cA: false },
  validity: { notBefore: '2026-01-01T00:00:00+0000', notAfter: '2029-01-01T00:00:00+0000' },
  keyIdentifier: 'MDEyMzQ1Njc4OWFiY2RlZg==',
  fingerprint: '0123456789abcdef0123456789abcdef01234567',
  fingerprint_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  keyUsage: ['digitalSignature', 'nonRepudiation'],
  extKeyUsage: ['clientAuth'],
  serialNumberHex: '0A1B2C',
  algorithm: 'sha256WithRSAEncryption',
  policy: { oid: '2.16.76.1.2.3.1', dpc: 'http://ac.example/dpc.pdf', name: 'A3', type: 'A3' },
  signature: 'MDEyMzQ1Njc4OWFiY2RlZg==',
  publicKey: { algorithm: 'RSA', bits: 2048, pem: '-----BEGIN PUBLIC KEY-----\n…' },
  issuer: {
    crl: ['http://ac.example/ac.crl'],
    dn: 'CN=AC Exemplo, O=ICP-Brasil, C=BR',
    cn: 'AC Exemplo',
    aia: 'http://ac.example/ac.p7b',
    keyIdentifier: null,
    fingerprint: null,
  },
  subject: {
    email: 'maria@example.com',
    dataNascimento: '1980-05-17',
    cpf: '52998224725',
    nis: null,
    rg: { numero: '123456789', emissor: 'SSP', uf: 'SP' },
    cei: null,
    tituloEleitor: { numero: null, zona: null, secao: null, municipio: null, uf: null },
    cnpj: null,
    razaoSocial: null,
    responsavel: null,
  },
  hierarchy: 'ICP-Brasil',
};

/** Describes the certificates of the token's user. The token is the permission: a site with a token needs no grant. */
export const certificateOperation: Operation<CertificateInformationParts> = {
  id: 'readCertificateInformation',
  number: 10,
  method: 'get',
  // Behind the first path, that of existing clients.
  paths: pathsWithSpellings('/certificate/info', 'readCertificateInformation'),
  guard: 'token',
  access: withCredentials('authorization'),
  body: 'none',
  handle: ({ identity }) => readCertificateInformation(identity),
  describe: () => ({
    tag: 'Authorization',
    summary: "Tell of the certificates of the token's user",
    description: 'For a token with the scope certificate_info; all certificates of its person.',
    credentials: [{ accessToken: [] }, { authenticationHeader: [] }],
    parameters: {
      header: z.object({
        Authentication: z.string().optional().meta({
          description: 'The access token, bare or behind "Bearer". "Authorization: Bearer" works as well.',
        }),
      }),
      query: z.object({
        certificate_alias: z.string().optional().meta({ description: 'One of them; absent: all.' }),
      }),
    },
    answers: {
      200: {
        description: 'The content of each certificate, and the verdict on its dates, revocation and issuer.',
        content: json(certificateInfoBody),
      },
    },
    example: { certificates: [{ alias: 'MARIA DA SILVA', detail: findingExample, certificate: certificateExample }] },
    problems: ['CREDENTIALS_INVALID', 'REQUEST_INVALID', 'CERTIFICATE_NOT_FOUND'],
  }),
};

/**
 * Endpoint 10: `GET /certificate/info?certificate_alias=` describes the certificates of the token's user. The token is
 * sent as `Authentication: <token>`, `Authentication: Bearer <token>` or `Authorization: Bearer <token>`.
 */
function readCertificateInformation({
  authorization,
  applications,
  certificates: information,
}: CertificateInformationParts['identity']): RequestHandler {
  return async (request, response) => {
    const grant = await authorization.readToken(readToken(request));
    if (grant === undefined) {
      throw unauthorized(
        'The access token is unknown, over or revoked: ask the user for another one.',
        'invalid_token',
      );
    }
    if (grant.username === null) {
      const detail = "This token is an application's own: only a token that a user gave tells of certificates.";
      throw unauthorized(detail, 'invalid_token');
    }
    await expectTokenOfSite(applications, grant, response);
    const alias = readAlias(request.query.certificate_alias);
    const certificates = await information.read(grant.username, alias, hangUpOf(response));
    response.json({ certificates });
  };
}

const tokenForm = /^(?:bearer\s+)?([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * `Authentication` is the header that the interface document defines. A request with both headers must send the same
 * token in both.
 */
function readToken(request: Request): string {
  const { authentication, authorization } = request.headers;
  const own = typeof authentication === 'string' ? tokenForm.exec(authentication)?.[1] : undefined;
  const standard = authorization === undefined ? undefined : accessTokenOf(authorization);
  if (own !== undefined && standard !== undefined && own !== standard) {
    throw unauthorized('Authentication and Authorization bring different tokens: send one.', 'invalid_request');
  }
  const token = own ?? standard;
  if (token !== undefined) return token;
  throw unauthorized('Send the access token: "Authentication: Bearer <token>", or "Authorization: Bearer <token>".');
}

function unauthorized(detail: string, error?: string): HttpError {
  const challenge = `Bearer realm="Sinete"${error === undefined ? '' : `, error="${error}"`}`;
  return new HttpError('CREDENTIALS_INVALID', detail, { headers: { 'WWW-Authenticate': challenge } });
}

function readAlias(alias: unknown): string | undefined {
  if (alias === undefined || alias === '') return undefined;
  if (typeof alias === 'string') return alias;
  const detail = 'Give one alias, or none for all certificates.';
  throw invalidFields([{ field: 'certificate_alias', code: 'INVALID_TYPE', detail }]);
}
