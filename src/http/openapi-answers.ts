/** Examples of the usual answers in the OpenAPI document, by operation. A test holds each to the schema of its answer. */

const tcn = 'b3Q7c0pXk2mVt9Yd5Zs8hRf1Wg';
const created = '2026-01-02T03:04:05.000Z';
const finished = '2026-01-02T03:04:07.000Z';

const document = {
  id: '0',
  status: 'SIGNED',
  original_file_name: 'contract.pdf',
  media_type: 'application/pdf',
  mediatype: 'application/pdf',
  size: 48213,
  signature_setting: 'default',
  checksum: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  result: `http://127.0.0.1:17171/file-transfer/${tcn}/0`,
  lifetime: 43_200,
};

const summary = {
  tcn,
  status: 'SIGNED',
  waiting_for: null,
  certificate_alias: 'MARIA DA SILVA',
  type: 'PAdES',
  hash_algorithm: 'SHA256',
  policy: 'none',
  tsa: false,
  documents_source: 'UPLOAD_REFERENCE',
  counts: { SIGNED: 1, WAITING: 0, ERROR: 0 },
  created_at: created,
  finished_at: finished,
};

const transaction = { ...summary, documents: [document] };
const waiting = { ...transaction, status: 'WAITING', finished_at: null };
const cancelled = {
  ...document,
  status: 'ERROR',
  result: null,
  error: { code: 'CANCELLED', detail: 'The transaction was cancelled.' },
};

const uploaded = {
  tcn,
  documents: [{ ...document, status: 'WAITING', result: null }],
  end_of_transaction: true,
};

const signing: Readonly<Record<string, unknown>> = {
  createTransaction: {
    ...waiting,
    waiting_for: 'upload',
    documents: [],
    counts: { SIGNED: 0, WAITING: 0, ERROR: 0 },
  },
  queryTransaction: transaction,
  listTransactions: { transactions: [summary], next: null },
  readStatuses: { transactions: [summary], unknown: ['a2Q7c0pXk2mVt9Yd5Zs8hRf1Wg'] },
  streamOwnTransactions: `id: 1767323045000\nevent: transaction\ndata: {"tcn":"${tcn}","status":"SIGNED"}\n\n`,
  streamTransaction: `id: 1767323045000\nevent: transaction\ndata: {"tcn":"${tcn}","status":"SIGNED"}\n\n`,
  cancelTransaction: {
    ...transaction,
    status: 'ERROR',
    counts: { SIGNED: 0, WAITING: 0, ERROR: 1 },
    documents: [cancelled],
  },
  authorizeTransaction: {
    ...waiting,
    counts: { SIGNED: 0, WAITING: 1, ERROR: 0 },
    documents: uploaded.documents,
  },
  uploadDocuments: uploaded,
  uploadMoreDocuments: { ...uploaded, end_of_transaction: false },
  uploadToOnlySetting: uploaded,
};

const found = {
  date: { status: true, code: 1187, message: 'Date of certificate is valid' },
  crl: { status: true, code: 1191, message: 'CRL is valid' },
  trust: {
    status: true,
    code: 1189,
    message: 'Chain of certificate is trusted',
    chain: 'MARIA DA SILVA > AC Exemplo > Autoridade Certificadora Raiz Brasileira v5',
  },
};

const monitoring: Readonly<Record<string, unknown>> = {
  readDashboard: { time: '1767323045', status: { SIGNED: 120, WAITING: 2, ERROR: 1 } },
  readMetrics: '# TYPE sinete_documents gauge\nsinete_documents{status="SIGNED"} 120\n',
  checkHealth: { status: 'OK', messages: [] },
  checkLiveness: { status: 'LIVE' },
  checkReadiness: { status: 'READY' },
  discover: { name: 'Sinete', version: '0.1.0', api_versions: ['v0'], instance: '7d86908f5b31c0a29e4d6f1182b3a4c5' },
  validateSignatures: {
    status: true,
    detail: {
      signature: { status: true, code: 1185, message: 'All digital signatures of the document are intact' },
      ...found,
    },
    indication: 'TOTAL-PASSED',
    sub_indication: null,
    changed_since: false,
    kind: 'cms-detached',
    standards: [],
    no_legal_value: false,
    validated_at: finished,
    content_digest: document.checksum,
    signatures: [],
    document_timestamps: [],
    checks: [],
    notice: {
      text: 'This does not replace the official validation.',
      url: 'https://validar.iti.gov.br',
    },
  },
};

const certificate = {
  version: 'v3',
  dn: 'CN=MARIA DA SILVA:52998224725, O=ICP-Brasil, C=BR',
  cn: 'MARIA DA SILVA:52998224725',
  basicConstraints: { cA: false },
  validity: { notBefore: '2026-01-01T00:00:00+0000', notAfter: '2029-01-01T00:00:00+0000' },
  keyIdentifier: 'MDEyMzQ1Njc4OWFiY2RlZg==',
  fingerprint: '0123456789abcdef0123456789abcdef01234567',
  fingerprint_sha256: document.checksum,
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

const origin = 'http://127.0.0.1:17171';

const application = {
  client_id: 'portal',
  name: 'Portal',
  comments: 'Signs contracts',
  redirect_uris: ['https://portal.example/back'],
  email: 'help@portal.example',
  token_endpoint_auth_method: 'client_secret_basic',
  limits: { documents_per_day: 200, document_size: 10_485_760, hours: '08:00-18:00' },
  created_at: created,
  last_used_at: finished,
};

const oauth: Readonly<Record<string, unknown>> = {
  issueToken: {
    access_token: 'opaque',
    token_type: 'bearer',
    expires_in: 3600,
    scope: 'signature_session',
    authorization: 'Bearer opaque',
  },
  introspectToken: { active: false },
  pushRequest: { request_uri: 'urn:ietf:params:oauth:request_uri:k2mVt9Yd5Zs8hRf1WgQ', expires_in: 90 },
  describeServer: {
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth`,
  },
  registerApplication: {
    client_id: 'portal',
    client_secret: 'shown-once',
    webhook_secret: 'whsec_c2hvd24tb25jZQ==',
    status: 'success',
    message: 'Keep the secrets: they are shown this once.',
  },
  readApplication: application,
  changeApplication: { ...application, limits: { documents_per_day: 500 } },
  readCertificateInformation: { certificates: [{ alias: 'MARIA DA SILVA', detail: found, certificate }] },
};

const detail = (code: number, status: string, message: string) => ({ detail: { code, status, message } });
const person = {
  name: 'MARIA DA SILVA',
  username: '52998224725',
  date_last_update: '2026-01-02 03:04:05',
  photo: null,
};
const computer = { client_name: 'Front desk', client_id: 'front-desk', client_secret: 'for-the-owner-only' };

const assistant: Readonly<Record<string, unknown>> = {
  addUser: { user: { id: 1, ...person }, ...detail(1128, 'CACHE_CREATED', 'Cache created') },
  listUsers: { users: [{ id: 1, ...person }], ...detail(1093, 'USER_LISTED', 'Users listed') },
  removeUser: detail(1129, 'USER_REMOVED', 'User removed'),
  readSelectedUser: { ...person, ...detail(1124, 'SELECTED_USER_DETAIL', 'Selected user detail') },
  changeSelectedUser: { ...person, ...detail(1126, 'SELECTED_USER_CHANGED', 'Selected user changed') },
  listSelectedUserCertificates: {
    certificates: [
      {
        ...certificate,
        alias: 'MARIA DA SILVA',
        source: 'token',
        token: { module: 'opensc-pkcs11', label: 'Maria', serial_number: '0a1b2c3d' },
        present: true,
        pem: '-----BEGIN CERTIFICATE-----\n…',
      },
    ],
    ...detail(1127, 'CERTIFICATES_LISTED', 'Certificates listed'),
  },
  registerComputer: { ...computer, ...detail(1018, 'APPLICATION_CREATED', 'Application created successfully') },
  readComputer: { ...computer, ...detail(1021, 'APPLICATION_LISTED', 'Application listed') },
  changeComputer: {
    client_name: computer.client_name,
    client_id: computer.client_id,
    ...detail(1022, 'APPLICATION_CHANGED', 'Application changed'),
  },
};

const webhook = {
  id: 'wh_7',
  client_id: 'portal',
  url: 'https://shop.example/hook',
  events: ['transaction.signed', 'transaction.failed'],
  enabled: true,
  earlier_secret_until: null,
  created_at: created,
};
const delivery = {
  id: 'msg_12',
  event: 'transaction.signed',
  tcn,
  status: 'DELIVERED',
  attempts: 1,
  last_error: null,
  created_at: finished,
  next_attempt_at: null,
  finished_at: finished,
};

const webhooks: Readonly<Record<string, unknown>> = {
  listWebhooks: { webhooks: [webhook] },
  addWebhook: { ...webhook, secret: 'whsec_c2hvd24tb25jZQ==' },
  readWebhook: webhook,
  changeWebhook: { ...webhook, enabled: false },
  rotateWebhook: {
    ...webhook,
    earlier_secret_until: '2026-01-03T03:04:05.000Z',
    secret: 'whsec_YW5vdGhlci1zZWNyZXQ=',
  },
  testWebhook: { delivered: true, error: null },
  listDeliveries: { deliveries: [delivery], next: null },
  redeliverWebhook: { ...delivery, status: 'WAITING', attempts: 0, next_attempt_at: finished, finished_at: null },
};

/** The usual answer of each operation, as sent; pages and documents have no example. */
export const answerExamples: Readonly<Record<string, unknown>> = {
  ...signing,
  ...monitoring,
  ...oauth,
  ...assistant,
  ...webhooks,
};
