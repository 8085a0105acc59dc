/**
 * More programs of others, request by request, as data. Texts in angle brackets come from the test or from earlier
 * answers; `base64(…)` is computed. No code and no host of the programs is here.
 */

/** The form of a value in an answer. */
export type ValueForm =
  'text' | 'whole number' | 'number' | 'boolean' | 'list' | 'object' | 'text or null' | 'absent or text';

export interface ClientStep {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** `browser`: a person follows the page of the address and allows. */
  readonly by?: 'browser';
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** A form with a single file. */
  readonly file?: { readonly field: string; readonly name: string; readonly type: string };
  readonly form?: Readonly<Record<string, string>>;
  /** Default: 200, or 201 for a create request. */
  readonly status?: number;
  /** Repeats the step until a document is signed, or until the status is right. */
  readonly until?: 'signed' | 'status';
  /** Values of the answer by their paths, each with its form. */
  readonly reads?: Readonly<Record<string, ValueForm>>;
  /** Texts inside values of the answer, by their paths. */
  readonly says?: Readonly<Record<string, string>>;
  /** Values of the answer for later steps, by placeholder. */
  readonly keeps?: Readonly<Record<string, string>>;
}

export interface ClientRow {
  readonly client: string;
  readonly steps: readonly ClientStep[];
  /** `signed`: the body of the last step is a PDF with a valid signature; `hashes`: the last step answers signatures. */
  readonly end: 'signed' | 'answered' | 'hashes';
  /** The document is a small PDF with wrong offsets in its cross-reference. */
  readonly isDamaged?: true;
  /** Expectations of the program that are not met, as documented. */
  readonly differences?: readonly string[];
}

const json = { Accept: 'application/json', 'Content-Type': 'application/json' };
const application = { client_id: '<client_id>', client_secret: '<client_secret>' };
const login = {
  ...application,
  grant_type: 'password',
  username: '<cpf>',
  password: '<otp>',
  scope: 'signature_session',
};
const pdf = { type: 'PDFSignature', hash_algorithm: 'SHA256', auto_fix_document: true, certificate_alias: '' };
const data = 'data:application/pdf;base64,<pdf>';
const provider = { Authorization: 'VCSchema base64(SOLUTI-|<token>)' };
const token = { reads: { access_token: 'text', token_type: 'text' }, keeps: { token: 'access_token' } } as const;
const created = { keeps: { tcn: 'tcn' }, reads: { tcn: 'text' } } as const;
const signedAtOnce = {
  reads: { 'documents.0.status': 'text', 'documents.0.result': 'text' },
  keeps: { result: 'documents.0.result' },
} as const;
const result: ClientStep = { method: 'GET', path: '<result>' };

/** K, with one of the two policies that the program can be configured for; both have an underscore. */
export function clinicalReports(policy: 'AD_RB' | 'AD_RT'): ClientRow {
  return {
    client: `K, clinical reports in TypeScript: a code flow with PKCE, ${policy}, a spent token on the download`,
    end: 'signed',
    steps: [
      {
        method: 'GET',
        by: 'browser',
        path: '/v0/oauth/authorize?response_type=code&client_id=<client_id>&redirect_uri=<redirect_uri>&state=a.b&scope=single_signature&lifetime=300&code_challenge_method=S256&code_challenge=<challenge>',
      },
      {
        method: 'POST',
        path: '/v0/oauth/token',
        headers: json,
        ...token,
        json: {
          ...application,
          code_verifier: '<verifier>',
          redirect_uri: '<redirect>',
          code: '<code>',
          grant_type: 'authorization_code',
          lifetime: 300,
        },
      },
      {
        method: 'POST',
        path: '/signature-service',
        headers: { ...json, ...provider },
        json: {
          certificate_alias: '',
          type: 'PAdEs',
          policy,
          hash_algorithm: 'SHA256',
          auto_fix_document: true,
          mode: 'sync',
          signature_settings: [
            { id: 'default', reason: 'Assinatura digital de documento clínico revisado', visible_signature: false },
          ],
          documents_source: 'DATA_URL',
          documents: [{ id: 'documento-12345', data }],
        },
        ...signedAtOnce,
      },
      { ...result, headers: { Accept: 'application/pdf', ...provider } },
    ],
  };
}

const drawn = { text: 'Assinado digitalmente por {{signer_name}}\nData: {{date}}' };
const place = { x: 50, width: 300, height: 60, measurement_unit: 'pt' };

/** L, in a version: its setting, and fields of a first try that is refused until they are left out. */
function prescriptions(client: string, setting: object, refused: object = {}): ClientRow {
  const { certificate_alias: alias = '' } = refused as { readonly certificate_alias?: string };
  const request = {
    ...pdf,
    certificate_alias: alias,
    mode: 'sync',
    signature_settings: [
      {
        id: 'default',
        reason: 'Assinatura Digital de Prescrição Médica',
        visible_signature: true,
        ...setting,
        extraInfo: [{ name: '2.16.1.12.1.2', value: 'Prescrição Médica' }],
      },
    ],
    documents_source: 'DATA_URL',
    documents: [{ id: 'doc1', data }],
  };
  const create = { method: 'POST', path: '/signature-service', headers: { ...json, ...provider } } as const;
  const firstTry: ClientStep = {
    ...create,
    json: { ...request, ...refused },
    status: 422,
    says: { 'errors.0.field': 'tsa_server_id', 'errors.0.detail': 'Configured ids' },
  };
  return {
    client,
    end: 'signed',
    steps: [
      { method: 'POST', path: '/oauth', headers: { 'Content-Type': 'application/json' }, json: login, ...token },
      ...(Object.keys(refused).length === 0 ? [] : [firstTry]),
      {
        ...create,
        json: request,
        ...signedAtOnce,
        reads: { ...signedAtOnce.reads, ignored_fields: 'list', 'documents.0.checksum': 'text' },
      },
      { ...result, headers: provider },
    ],
  };
}

export const laterClients: readonly ClientRow[] = [
  {
    client: 'H, a kit in PHP: no settings, no name behind eot, no credentials but on the create request',
    end: 'signed',
    steps: [
      { method: 'POST', path: '/oauth', headers: json, json: { ...login, lifetime: 3600 }, ...token },
      {
        method: 'POST',
        path: '/signature-service',
        headers: { ...json, Authorization: 'Bearer <token>' },
        json: { ...pdf, documents_source: 'UPLOAD_REFERENCE' },
        ...created,
      },
      {
        method: 'POST',
        path: '/file-transfer/<tcn>/eot',
        headers: { Accept: 'application/json', 'Cache-Control': 'no-cache' },
        file: { field: 'document[0]', name: 'receita-12345.pdf', type: 'application/pdf' },
      },
      {
        method: 'GET',
        path: '/signature-service/<tcn>',
        headers: { Accept: 'application/json' },
        until: 'signed',
        reads: { documents: 'list', 'documents.0.status': 'text' },
        keeps: { result: 'documents.0.result' },
      },
      { ...result, headers: { Accept: 'application/json', 'Cache-Control': 'no-cache' } },
    ],
  },
  {
    client: 'I, the same kit later, with typed answers',
    end: 'signed',
    differences: ['status'],
    steps: [
      {
        method: 'POST',
        path: '/oauth/client_token',
        headers: json,
        json: { ...application, grant_type: 'client_credentials', lifetime: 3600 },
        ...token,
      },
      {
        method: 'POST',
        path: '/v0/oauth/user-discovery',
        headers: { ...json, Authorization: 'Bearer <token>' },
        json: { ...application, user_cpf_cnpj: 'cpf', val_cpf_cnpj: '<cpf>' },
        reads: { status: 'text', slots: 'list' },
      },
      {
        method: 'POST',
        path: '/v0/oauth/pwd_authorize',
        headers: json,
        json: { ...login, lifetime: 3600 },
        ...token,
        reads: {
          access_token: 'text',
          token_type: 'text',
          expires_in: 'whole number',
          scope: 'text or null',
          slot_alias: 'absent or text',
        },
      },
      {
        method: 'GET',
        path: '/certificate-service',
        headers: { ...json, ...provider },
        reads: {
          certificates: 'list',
          'certificates.0.alias': 'text',
          'certificates.0.certificate': 'object',
          'certificates.0.detail.date.status': 'boolean',
          'certificates.0.detail.crl.status': 'boolean',
          'certificates.0.detail.trust.status': 'boolean',
        },
        keeps: { alias: 'certificates.0.alias' },
      },
      {
        method: 'POST',
        path: '/signature-service',
        headers: { ...json, ...provider },
        json: {
          ...pdf,
          certificate_alias: '<alias>',
          mode: 'sync',
          documents_source: 'DATA_URL',
          signature_settings: [
            {
              id: 'default',
              contact: '',
              location: 'Brasil',
              reason: 'Assinatura de receita',
              visible_signature: false,
            },
          ],
          documents: [
            {
              id: '12345',
              signature_setting: 'default',
              original_file_name: 'receita-12345.pdf',
              path: '/tmp/receita-12345.pdf',
              data,
            },
          ],
        },
        reads: {
          tcn: 'text',
          certificate_alias: 'text',
          type: 'text',
          hash_algorithm: 'text',
          checksum_algorithm: 'text',
          documents_source: 'text',
          status: 'text',
          visible_signature: 'boolean',
          tsa: 'boolean',
          eot: 'boolean',
          'documents.0.id': 'text',
          'documents.0.original_file_name': 'text',
          'documents.0.mediatype': 'text',
          'documents.0.status': 'text',
          'documents.0.result': 'text',
          'documents.0.checksum': 'text',
          'documents.0.lifetime': 'whole number',
        },
        keeps: { result: 'documents.0.result' },
      },
      { ...result, headers: provider },
    ],
  },
  {
    client: 'J, medical reports in PHP: a made-up token on the upload, a path of Windows, no pause between tries',
    end: 'signed',
    steps: [
      { method: 'POST', path: '/oauth', headers: json, json: { ...login, lifetime: 2_592_000 }, ...token },
      {
        method: 'POST',
        path: '/signature-service',
        headers: { ...json, Authorization: 'Bearer <token>' },
        json: {
          ...pdf,
          documents_source: 'UPLOAD_REFERENCE',
          signature_settings: [
            { id: 'default', contact: '123456789', location: 'Goiânia - GO', reason: 'Assinatura_Documento' },
          ],
        },
        ...created,
      },
      {
        method: 'POST',
        path: '/file-transfer/<tcn>/eot/default',
        headers: { Authorization: 'Bearer supersecret' },
        file: { field: 'document[0]', name: 'C:/laudosPdf/12345.pdf', type: 'application/octet-stream' },
      },
      { method: 'GET', path: '/file-transfer/<tcn>/0', until: 'status' },
      { method: 'GET', path: '/file-transfer/<tcn>/0' },
    ],
  },
  clinicalReports('AD_RB'),
  prescriptions('L, prescriptions in Node: information by name and value, and a field of its own invention', {
    visual_representation: { ...drawn, position: { ...place, page: 3, y: 100 } },
  }),
  prescriptions('L, the version before: the last page, asked for in two ways', {
    visible_sign_page: -1,
    visual_representation: { ...drawn, position: { ...place, page: -1, y: 50 } },
  }),
  prescriptions(
    'L, two versions before: an alias, a text as an object, and a placeholder for the time-stamp server',
    {
      visual_representation: {
        text: { value: drawn.text, include_email: false, include_cpf: false },
        position: { ...place, page: -1, y: 100 },
      },
    },
    { certificate_alias: '<own alias>', tsa_server_id: 'COLOQUE_AQUI_O_ID', tsa_hash_algorithm: 'SHA256' },
  ),
  {
    client: 'L0, its first version, with the document in another field',
    end: 'answered',
    steps: [
      {
        method: 'POST',
        path: '/signature-service',
        headers: { ...json, Authorization: 'Basic base64(<cpf>:<otp>)' },
        json: {
          certificate_alias: '<cpf>',
          type: 'PAdES',
          mode: 'async',
          notification_callback: '',
          documents_source: 'DATA_URL',
          documents: [{ id: 'receituario_01', original_file_name: 'receituario_01.pdf', content: data }],
        },
        status: 422,
        reads: { 'errors.0.field': 'text', 'errors.0.detail': 'text' },
      },
    ],
  },
  {
    client: 'M, a settings file of Node: empty texts for optional fields',
    end: 'signed',
    steps: [
      {
        method: 'POST',
        path: '/signature-service',
        headers: { ...json, Authorization: 'Basic base64(<cpf>:<otp>)' },
        json: {
          certificate_alias: '<own alias>',
          mode: 'sync',
          type: 'PDFSignature',
          hash_algorithm: 'SHA256',
          signature_settings: '',
          auto_fix_document: '',
          tsa_server_id: '',
          tsa_hash_algorithm: '',
          documents_source: 'DATA_URL',
          documents: [{ id: '1', data }],
        },
        ...signedAtOnce,
      },
      result,
    ],
  },
  {
    client: 'M, the older set of its file: a form with SHA1, a store and a callback',
    end: 'answered',
    steps: [
      {
        method: 'POST',
        path: '/signature-service',
        headers: { ...json, Authorization: 'Basic base64(<cpf>:<otp>)' },
        json: {
          certificate_alias: '<own alias>',
          mode: 'sync',
          documents_destination: 'AWS_S3',
          type: 'CMS-attached',
          notification_callback: 'http://127.0.0.1:9/?tcn=',
          hash_algorithm: 'SHA1',
          documents_source: 'DATA_URL',
          documents: [{ id: '1', data }],
        },
        status: 422,
        says: { 'errors.0.field': 'hash_algorithm', 'errors.0.detail': 'SHA256' },
      },
    ],
  },
  {
    client: 'N, the samples of the maker of the interface: a code flow with the ways to authorize first',
    end: 'signed',
    steps: [
      {
        method: 'GET',
        by: 'browser',
        path: '/oauth/authorize?integration=true&response_type=code&client_id=<client_id>&code_challenge=<challenge>&code_challenge_method=S256&redirect_uri=<redirect_uri>&state=0123abcd_any&scope=signature_session&login_hint=111.444.777-35&lifetime=999900',
      },
      {
        method: 'POST',
        path: '/oauth',
        headers: json,
        ...token,
        reads: { access_token: 'text', expires_in: 'whole number' },
        json: {
          grant_type: 'authorization_code',
          ...application,
          code: '<code>',
          code_verifier: '<verifier>',
          redirect_uri: '<redirect>',
        },
      },
      {
        method: 'POST',
        path: '/signature-service',
        headers: { ...json, Authorization: 'Bearer <token>' },
        ...created,
        json: { type: 'PDFSignature', documents_source: 'DATA_URL', documents: [{ id: '1', data }] },
      },
      {
        method: 'GET',
        path: '/signature-service/<tcn>',
        headers: { Authorization: 'Bearer <token>' },
        until: 'signed',
        keeps: { result: 'documents.0.result' },
      },
      { ...result, headers: { Authorization: 'Bearer <token>' } },
    ],
  },
  {
    client: 'O, a script that tries the forms of a login, and a document with a wrong cross-reference',
    end: 'signed',
    isDamaged: true,
    steps: [
      {
        method: 'POST',
        path: '/v0/oauth/client_token',
        headers: json,
        json: { ...application, grant_type: 'client_credentials' },
        ...token,
      },
      { method: 'POST', path: '/oauth/token', form: { ...application, grant_type: 'client_credentials' }, ...token },
      {
        method: 'POST',
        path: '/oauth/token',
        headers: { Authorization: 'Basic base64(<client_id>:<client_secret>)' },
        form: { grant_type: 'client_credentials' },
        ...token,
      },
      { method: 'GET', path: '/signature-service', headers: { Authorization: 'Bearer <token>' } },
      {
        method: 'POST',
        path: '/signature-service',
        headers: { ...json, Authorization: 'Bearer <token>' },
        ...created,
        json: {
          ...pdf,
          certificate_alias: '<cpf>',
          documents_source: 'UPLOAD_REFERENCE',
          notification_callback: 'http://127.0.0.1:9/api/webhooks/signature?doc_id=test-0',
          signature_settings: [
            {
              id: 'default',
              reason: 'Teste de integração',
              location: 'São Paulo, SP',
              visible_signature: true,
              visible_sign_x: 48,
              visible_sign_y: 48,
              visible_sign_width: 260,
              visible_sign_height: 60,
              visible_sign_page: -1,
            },
          ],
        },
      },
      {
        method: 'POST',
        path: '/file-transfer/<tcn>/eot/default',
        headers: { Authorization: 'Bearer <token>', Accept: 'application/json' },
        file: { field: 'file', name: 'test.pdf', type: 'application/pdf' },
      },
      {
        method: 'GET',
        path: '/signature-service/<tcn>',
        headers: { Authorization: 'Bearer <token>' },
        until: 'signed',
        keeps: { result: 'documents.0.result' },
      },
      { ...result, headers: { Authorization: 'Bearer <token>' } },
    ],
  },
];
