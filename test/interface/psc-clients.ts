/**
 * Programs for cloud keys of ICP-Brasil, request by request, as data: their encodings, names and paths. The hashes are
 * the SHA-256 of `abc` and of `abd`, and the SHA-512 of `abc`. No code and no host of the programs is here.
 */
import { createHash } from 'node:crypto';
import type { ClientRow, ClientStep } from './later-clients.ts';

const sha = (algorithm: string, text: string): Buffer => createHash(algorithm).update(text).digest();
const abc = sha('sha256', 'abc');
const abd = sha('sha256', 'abd');
const long = sha('sha512', 'abc');
const unpadded = (hash: Buffer): string => hash.toString('base64').replace(/=+$/, '');
const SHA256 = '2.16.840.1.101.3.4.2.1';
const SHA512 = '2.16.840.1.101.3.4.2.3';

const application = { client_id: '<client_id>', client_secret: '<client_secret>' };
const bearer = { Authorization: 'Bearer <token>' };
const jsonOf = { 'Content-Type': 'application/json', Accept: 'application/json' };

/** The authorize page and the exchange of its code, below `base`. */
function codeFlow(base: string, scope: string, more = ''): readonly ClientStep[] {
  const asked = `scope=${scope}&code_challenge=<challenge>&code_challenge_method=S256${more}`;
  return [
    {
      method: 'GET',
      by: 'browser',
      path: `${base}/authorize?response_type=code&client_id=<client_id>&redirect_uri=<redirect_uri>&state=k3&${asked}`,
    },
    {
      method: 'POST',
      path: `${base}/token`,
      form: {
        grant_type: 'authorization_code',
        ...application,
        code: '<code>',
        code_verifier: '<verifier>',
        redirect_uri: '<redirect>',
      },
      reads: {
        access_token: 'text',
        expires_in: 'whole number',
        authorized_identification_type: 'text',
        authorized_identification: 'text',
        slot_alias: 'text',
      },
      says: { authorized_identification_type: 'CPF', authorized_identification: '11144477735', scope },
      keeps: { token: 'access_token' },
    },
  ];
}

const certificates = (base: string): ClientStep => ({
  method: 'GET',
  path: `${base}/certificate-discovery`,
  headers: bearer,
  reads: { 'certificates.0.alias': 'text' },
  says: { status: 'S', 'certificates.0.certificate': '-----BEGIN CERTIFICATE-----\n' },
  keeps: { alias: 'certificates.0.alias' },
});

const signature = (base: string, json: object): ClientStep => ({
  method: 'POST',
  path: `${base}/signature`,
  headers: { ...jsonOf, ...bearer },
  json,
  reads: { signatures: 'list', 'signatures.0.raw_signature': 'text' },
});

const passwordGrant: ClientStep = {
  method: 'POST',
  path: '/v0/oauth/pwd_authorize',
  headers: jsonOf,
  json: {
    ...application,
    username: '<cpf>',
    password: '<otp>',
    grant_type: 'password',
    scope: 'signature_session',
    lifetime: 900,
  },
  reads: { access_token: 'text' },
  keeps: { token: 'access_token' },
};

const search = (json: object): ClientStep => ({
  method: 'POST',
  path: '/v0/oauth/user-discovery',
  headers: jsonOf,
  json: { ...application, ...json },
  reads: { slots: 'list', 'slots.0.slot_alias': 'text', 'slots.0.label': 'text' },
  says: { status: 'S' },
});

const raw = (id: string | number, hash: string, more: object = {}): object => ({
  id,
  alias: 'contract.pdf',
  hash,
  hash_algorithm: SHA256,
  signature_format: 'RAW',
  ...more,
});

/** The programs, each to its last signatures. The contents that the signatures are over stand in the order of the answer. */
export const pscClients: readonly (ClientRow & { readonly contents: readonly string[] })[] = [
  {
    client: 'the exchange of the norm: a code with PKCE, a lifetime, and a hash as RAW beside one as CMS',
    end: 'hashes',
    contents: ['abc', 'abd'],
    steps: [
      ...codeFlow('/v0/oauth', 'signature_session', '&lifetime=3600&login_hint=00011144477735'),
      certificates('/v0/oauth'),
      signature('/v0/oauth', {
        certificate_alias: '<alias>',
        hashes: [
          raw('1', abc.toString('base64')),
          raw('2', abd.toString('base64'), { alias: 'annex.pdf', signature_format: 'CMS' }),
        ],
      }),
    ],
  },
  {
    client: 'a kit in TypeScript and Python with lower-case hexadecimal, the chain asked for, one hash',
    end: 'hashes',
    contents: ['abc'],
    steps: [
      search({ user_cpf_cnpj: 'CPF', val_cpf_cnpj: '11144477735' }),
      ...codeFlow('/v0/oauth', 'single_signature'),
      signature('/v0/oauth', { include_chain: true, hashes: [raw('contrato', abc.toString('hex'))] }),
    ],
  },
  {
    client: 'an official demonstration with base64, several hashes and no alias of a certificate',
    end: 'hashes',
    contents: ['abc', 'abd', 'abc'],
    steps: [
      ...codeFlow('/v0/oauth', 'multi_signature'),
      signature('/v0/oauth', {
        hashes: [
          raw('a', abc.toString('base64'), { signature_format: 'CMS' }),
          raw('b', abd.toString('base64'), { signature_format: 'CMS' }),
          raw('c', long.toString('base64'), { signature_format: 'CMS', hash_algorithm: SHA512 }),
        ],
      }),
    ],
  },
  {
    client: 'a service in Python without /v0, with the number 1 as id and SHA-512',
    end: 'hashes',
    contents: ['abc'],
    steps: [
      ...codeFlow('/oauth', 'single_signature'),
      certificates('/oauth'),
      signature('/oauth', { hashes: [raw(1, long.toString('base64'), { hash_algorithm: SHA512 })] }),
    ],
  },
  {
    client: 'a crate in Rust with unpadded base64 of URLs, a padding method and its flags',
    end: 'hashes',
    contents: ['abc'],
    steps: [
      ...codeFlow('/v0/oauth', 'signature_session'),
      signature('/v0/oauth', {
        certificate_alias: '<cpf>',
        hashes: [
          raw('1', abc.toString('base64url'), { padding_method: 'PKCS1V1_5', base64_content: '', pdf_signature_page: false }), // prettier-ignore
        ],
      }),
    ],
  },
  {
    client: 'a program in PHP that posts a form, with unpadded base64 and the alias in place of the id',
    end: 'hashes',
    contents: ['abc'],
    steps: [
      ...codeFlow('/v0/oauth', 'signature_session'),
      {
        method: 'POST',
        path: '/v0/oauth/signature',
        headers: bearer,
        form: {
          certificate_alias: '<own alias>',
          'hashes[0][alias]': 'contrato.pdf',
          'hashes[0][hash]': unpadded(abc),
          'hashes[0][hash_algorithm]': SHA256,
          'hashes[0][signature_format]': 'RAW',
        },
        says: { 'signatures.0.id': 'contrato.pdf', 'signatures.0.alias': 'contrato.pdf' },
      },
    ],
  },
  {
    client: 'a library in C# with names of fields in capitals, and upper-case hexadecimal',
    end: 'hashes',
    contents: ['abc', 'abd'],
    steps: [
      search({ USER_CPF_CNPJ: 'CPF', VAL_CPF_CNPJ: '11144477735' }),
      ...codeFlow('/v0/oauth', 'multi_signature'),
      signature('/v0/oauth', {
        CERTIFICATE_ALIAS: '<own alias>',
        HASHES: [
          { ID: 'x', ALIAS: 'a', HASH: abc.toString('hex').toUpperCase(), HASH_ALGORITHM: SHA256, SIGNATURE_FORMAT: 'raw' }, // prettier-ignore
          { Id: 'y', Alias: 'b', Hash: abd.toString('hex').toUpperCase(), Hash_Algorithm: SHA256, Signature_Format: 'RAW' }, // prettier-ignore
        ],
      }),
    ],
  },
  {
    client: 'P, a sample in C#: a one-time password, the certificates, a signature, all without /v0',
    end: 'hashes',
    contents: ['abc'],
    steps: [
      { ...passwordGrant, path: '/oauth/pwd_authorize' },
      certificates('/oauth'),
      signature('/oauth', { certificate_alias: '<alias>', hashes: [raw('1', abc.toString('base64'))] }),
    ],
  },
  {
    client: 'a bundle in PHP: a token of the application as JSON, a search, and the slot in place of the CPF',
    end: 'hashes',
    contents: ['abc'],
    steps: [
      {
        method: 'POST',
        path: '/v0/oauth/client_token',
        headers: jsonOf,
        json: { grant_type: 'client_credentials', ...application },
        reads: { access_token: 'text', token_type: 'text', expires_in: 'whole number' },
      },
      { ...search({ cpf: '11144477735' }), keeps: { cpf: 'slots.0.slot_alias' } },
      passwordGrant,
      signature('/v0/oauth', { hashes: [raw('1', abc.toString('hex'))] }),
    ],
  },
];
