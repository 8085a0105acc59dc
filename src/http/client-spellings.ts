/**
 * Spellings of existing clients beside those of the interface document: a row for each, with its meaning and the kind of
 * program that sends the spelling. Routes, credentials, the reading of fields and values, the OpenAPI document and
 * docs/reference/client-spellings.md derive from this table.
 */

/** A spelling, its meaning in the words of the interface document, and its senders. */
export interface ClientSpelling {
  readonly spelling: string;
  readonly means: string;
  readonly sentBy: string;
}

const clouds = 'programs for certificate clouds (PSC)';
const kits = 'kits of prescription platforms (PHP, Node, TypeScript)';
const oauth = 'OAuth libraries';
const older = 'programs written for another service with this interface';

/** Addresses, by operation. */
export const pathSpellings = {
  showAuthorization: [{ spelling: '/v0/oauth/authorize', means: '/oauth/authorize', sentBy: clouds }],
  issueToken: [
    { spelling: '/oauth/token', means: '/oauth', sentBy: oauth },
    { spelling: '/v0/oauth/token', means: '/oauth', sentBy: clouds },
    { spelling: '/oauth/pwd_authorize', means: '/oauth with grant_type password', sentBy: clouds },
    { spelling: '/v0/oauth/pwd_authorize', means: '/oauth with grant_type password', sentBy: clouds },
    { spelling: '/oauth/client_token', means: '/oauth with grant_type client_credentials', sentBy: kits },
    { spelling: '/v0/oauth/client_token', means: '/oauth with grant_type client_credentials', sentBy: clouds },
  ],
  revokeToken: [{ spelling: '/v0/oauth/revoke', means: '/oauth/revoke', sentBy: clouds }],
  signPscHashes: [{ spelling: '/oauth/signature', means: '/v0/oauth/signature', sentBy: clouds }],
  discoverPscCertificates: [
    { spelling: '/oauth/certificate-discovery', means: '/v0/oauth/certificate-discovery', sentBy: clouds },
  ],
  discoverPscPerson: [{ spelling: '/oauth/user-discovery', means: '/v0/oauth/user-discovery', sentBy: clouds }],
  readCertificateInformation: [{ spelling: '/certificate-service', means: '/certificate/info', sentBy: kits }],
} as const satisfies Readonly<Record<string, readonly ClientSpelling[]>>;

/** The paths of an operation: first its own, then the paths of existing clients. */
export const pathsWithSpellings = (
  own: string,
  operation: keyof typeof pathSpellings,
): readonly [string, ...string[]] => [own, ...pathSpellings[operation].map(({ spelling }) => spelling)];

/** The scheme of `Authorization` with a token behind the name of a provider. */
export const providerScheme = {
  spelling: 'VCSchema',
  means: 'Bearer; the value is the base64 of a provider, "-|" and the token',
  sentBy: kits,
} as const satisfies ClientSpelling;

/** Request headers for a session token. */
export const sessionHeaderSpellings = [
  { spelling: 'VCSchemaCfg', means: 'X-Session-Options', sentBy: older },
  { spelling: 'VCSchemaData', means: 'X-Session-Options', sentBy: older },
] as const satisfies readonly ClientSpelling[];

/** The header of the answer to `sessionHeaderSpellings`. */
export const sessionAnswerHeader = {
  spelling: 'VCSchemaData',
  means: 'X-Session-Token, as token;seconds;provider in the answer to VCSchemaCfg',
  sentBy: older,
} as const satisfies ClientSpelling;

/** Options inside the headers for a session token; letter case and underscores do not matter. */
export const sessionOptionSpellings = [
  { spelling: 'returnAccessToken', means: 'return_access_token', sentBy: older },
] as const satisfies readonly ClientSpelling[];

/** Fields of a create request, by their object. */
export const fieldSpellings = {
  documents: [
    { spelling: 'path', means: 'data', sentBy: 'programs on the same computer, with FILE_PATH' },
    { spelling: 'mediatype', means: 'media_type', sentBy: older },
  ],
  signature_settings: [{ spelling: 'extraInfo', means: 'extra_info', sentBy: older }],
} as const satisfies Readonly<Record<string, readonly ClientSpelling[]>>;

/** Names of the part of an upload's form. */
export const partSpellings = [
  { spelling: 'document[]', means: 'document, several times', sentBy: 'forms of PHP and Rails' },
] as const satisfies readonly ClientSpelling[];

const stores = [
  { spelling: 'AWS_S3', means: 'STORE_A_S3', sentBy: older },
  { spelling: 'GCP_STORAGE', means: 'STORE_B_STORAGE', sentBy: older },
] as const satisfies readonly ClientSpelling[];

/** Values of fields with a closed set. */
export const valueSpellings = {
  documents_source: stores,
  documents_destination: stores,
} as const satisfies Readonly<Record<string, readonly ClientSpelling[]>>;

/** Families of signatures in front of a policy, as in `PAdES_AD_RT`, in `policy` or in `type`. */
export const policyFamilies = [
  { spelling: 'CAdES_AD_RB', means: 'type CAdES, policy AD-RB', sentBy: clouds, family: 'CAdES' },
  { spelling: 'PAdES_AD_RT', means: 'type PAdES, policy AD-RT', sentBy: clouds, family: 'PAdES' },
] as const satisfies readonly (ClientSpelling & { readonly family: string })[];

/** Each spelling by its meaning: `{ AWS_S3: 'STORE_A_S3' }`. */
export const meanings = (rows: readonly ClientSpelling[]): Readonly<Record<string, string>> =>
  Object.fromEntries(rows.map(({ spelling, means }) => [spelling, means]));

/** An expectation of existing clients that no spelling meets. */
export interface KnownDifference {
  readonly difference: string;
  readonly clients: string;
  readonly remedy: string;
}

/** Expectations of existing clients that are not met. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    difference: 'The answer about a transaction has `status` as a text (WAITING, SIGNED, ERROR), not as a number.',
    clients: 'a typed kit in PHP whose class wants a whole number at the top of the answer',
    remedy: 'make the property a text; `documents[].status` is a text for everybody',
  },
];

/** Every row of the table, with its kind and its place. */
export function allSpellings(): readonly (ClientSpelling & { readonly kind: string; readonly where: string })[] {
  const rowsOf = (kind: string, groups: Readonly<Record<string, readonly ClientSpelling[]>>) =>
    Object.entries(groups).flatMap(([where, rows]) => rows.map((row) => ({ ...row, kind, where })));
  return [
    ...rowsOf('path', pathSpellings),
    ...rowsOf('header', {
      Authorization: [providerScheme],
      request: sessionHeaderSpellings,
      'X-Session-Options': sessionOptionSpellings,
      answer: [sessionAnswerHeader],
    }),
    ...rowsOf('field', { ...fieldSpellings, 'form of an upload': partSpellings }),
    ...rowsOf('value', { ...valueSpellings, policy: policyFamilies }),
  ];
}
