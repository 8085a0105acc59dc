import { z } from 'zod';
import { doorRefusals } from '../authorization/door-refusals.ts';
import { formOf, type AuthorizationParts } from '../authorization/operations.ts';
import { pathsWithSpellings } from '../client-spellings.ts';
import { json } from '../openapi/problems.ts';
import { forEverybody, oneExample, type Operation } from '../operation.ts';
import { discoverCertificates, discoverPerson, signPscHashes } from './handlers.ts';

const tag = 'Cloud keys (PSC)';
/** The handlers check tokens and secrets, because errors have the form of RFC 6749 §5.2 here. */
const access = forEverybody('authorization');

/** Refusals in the form of RFC 6749 §5.2; a refusal before the handler has the form of every operation. */
const refusals = doorRefusals({
  400: '`invalid_request`, also for more hashes than the token permits.',
  401: '`invalid_token`: unknown, over, or spent by another call; `invalid_client`.',
  403: '`insufficient_scope`, or `access_denied`: the user refused.',
  404: '`invalid_request`: the user has no such certificate.',
  408: '`authorization_pending`: the user has not decided yet; send the same call again.',
  429: '`temporarily_unavailable`: too many attempts; see `Retry-After`.',
});

const pscHash = z
  .object({
    id: z.string().optional().meta({ description: 'Comes back with the signature. A number is accepted too.' }),
    alias: z.string().optional().meta({ description: 'The name of the document, shown to the user.' }),
    hash: z.string().meta({ description: 'Hexadecimal, base64 or the base64 of URLs.' }),
    hash_algorithm: z.string().optional().meta({ description: 'OID; default: SHA-256.' }),
    signature_format: z.string().optional().meta({ description: 'RAW (default), CMS, CAdES_AD_RB or CAdES_AD_RT.' }),
    padding_method: z.string().optional().meta({ description: 'PKCS1V1_5 (default) or PSS.' }),
  })
  .meta({ id: 'PscHash' });

const signatureRequest = z
  .object({
    certificate_alias: z.string().optional().meta({ description: 'Default: the only certificate of the user.' }),
    hashes: z.array(pscHash).meta({ minItems: 1 }),
  })
  .meta({ id: 'PscSignatureRequest' });

const signatureBody = z
  .object({
    certificate_alias: z.string(),
    signatures: z.array(
      z.object({
        id: z.string(),
        raw_signature: z.string().meta({ description: 'Base64 of the bare signature, or of the CMS.' }),
      }),
    ),
  })
  .meta({ id: 'PscSignatures' });

const searchRequest = z
  .object({
    client_id: z.string(),
    client_secret: z.string(),
    user_cpf_cnpj: z.enum(['CPF', 'CNPJ']),
    val_cpf_cnpj: z.string(),
  })
  .meta({ id: 'PscSearchRequest' });

const status = z.enum(['S', 'N']).meta({ description: 'S: found.' });
const searchBody = z
  .object({ status, slots: z.array(z.object({ slot_alias: z.string(), label: z.string() })) })
  .meta({ id: 'PscSearch' });
const certificatesBody = z
  .object({ status, certificates: z.array(z.object({ alias: z.string(), certificate: z.string() })) })
  .meta({ id: 'PscCertificates' });

const hash = {
  id: '1',
  alias: 'contract.pdf',
  hash: 'ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=',
  hash_algorithm: '2.16.840.1.101.3.4.2.1',
  signature_format: 'RAW',
};

/**
 * The interface of ICP-Brasil's cloud keys (DOC-ICP-17.01) beside the authorization service, whose authorize page and
 * tokens it shares.
 */
export const pscOperations: readonly Operation<AuthorizationParts>[] = [
  {
    id: 'signPscHashes',
    method: 'post',
    paths: pathsWithSpellings('/v0/oauth/signature', 'signPscHashes'),
    guard: 'token',
    access,
    body: 'stream',
    handle: ({ identity }) => signPscHashes(identity),
    describe: () => ({
      tag,
      summary: 'Sign hashes with a token',
      description:
        'As many hashes as the authorize page said. The same call with the same token answers the same signatures; a spent token with other hashes is refused.',
      credentials: [{ accessToken: [] }],
      body: { required: true, content: json(signatureRequest) },
      examples: oneExample('A bare signature', { hashes: [hash] }),
      answers: { 200: { description: 'The signatures, in the order of the hashes.', content: json(signatureBody) } },
      example: { certificate_alias: 'MARIA DA SILVA', signatures: [{ id: '1', raw_signature: 'MEUCIQDf' }] },
      refusals,
    }),
  },
  {
    id: 'discoverPscCertificates',
    method: 'get',
    paths: pathsWithSpellings('/v0/oauth/certificate-discovery', 'discoverPscCertificates'),
    guard: 'token',
    access,
    body: 'none',
    handle: ({ identity }) => discoverCertificates(identity),
    describe: () => ({
      tag,
      summary: "List the certificates of the token's user",
      description: 'Each certificate as PEM.',
      credentials: [{ accessToken: [] }],
      parameters: { query: z.object({ certificate_alias: z.string().optional() }) },
      answers: { 200: { description: 'The certificates.', content: json(certificatesBody) } },
      example: { status: 'S', certificates: [{ alias: 'MARIA DA SILVA', certificate: '-----BEGIN CERTIFICATE-----' }] },
      refusals,
    }),
  },
  {
    id: 'discoverPscPerson',
    method: 'post',
    paths: pathsWithSpellings('/v0/oauth/user-discovery', 'discoverPscPerson'),
    guard: 'api',
    access,
    body: 'stream',
    handle: ({ identity }) => discoverPerson(identity),
    describe: () => ({
      tag,
      summary: 'Ask whether a person can be found',
      description:
        'Finds people who once authorized the application, and on this computer the selected user. 20 searches a minute.',
      credentials: [{}],
      body: formOf(searchRequest),
      examples: oneExample('A person', {
        client_id: 'portal',
        client_secret: 'shown-once-at-registration',
        user_cpf_cnpj: 'CPF',
        val_cpf_cnpj: '52998224725',
      }),
      answers: { 200: { description: 'Found or not.', content: json(searchBody) } },
      example: { status: 'N', slots: [] },
      refusals,
    }),
  },
];
