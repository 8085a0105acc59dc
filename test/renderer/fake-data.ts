import { createHash } from 'node:crypto';
import { checkForUi } from '../../src/app/calls/views.ts';
import { found, type CheckValues, type Finding, type Particulars } from '../../src/service/checks/index.ts';
import type { CheckView } from '../../src/ui-contract/doctor-calls.ts';
import type {
  CertificateDetails,
  CertificateView,
  Home,
  ModuleTest,
  ModuleView,
  TimestampServerView,
  TokenView,
  UiDocument,
  UiTransaction,
} from '../../src/ui-contract/ui-contract.ts';

/** Lower-case hex SHA-256. */
export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** An instant some days from now. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

export const token: TokenView = {
  module: '/usr/lib/libeToken.so',
  label: 'eToken 5110 Maria',
  serialNumber: '02a1b3c4',
  present: true,
  loggedIn: false,
  pinAttempts: 'normal',
  pinPad: false,
};

const template: CertificateView = {
  acceptance: null,
  alias: 'maria-a1',
  fingerprint: sha256('maria-a1'),
  source: 'file',
  token: null,
  holder: 'Maria da Silva Teste',
  taxpayerNumber: '***.982.247-**',
  issuer: 'AC Exemplo RFB G5',
  notBefore: inDays(-60),
  notAfter: inDays(305),
  validity: 'valid',
  keyAlgorithm: 'RSA',
  isDefault: true,
  locked: false,
  isTest: false,
};

/** Certificates in every state that the list can show. */
export const certificates: readonly CertificateView[] = [
  template,
  {
    ...template,
    alias: 'maria-a3',
    fingerprint: sha256('maria-a3'),
    source: 'token',
    token,
    issuer: 'AC Exemplo Múltipla v5',
    notAfter: inDays(12.5),
    isDefault: false,
    locked: true,
  },
  {
    ...template,
    alias: 'empresa',
    fingerprint: sha256('empresa'),
    holder: 'Padaria Exemplo Ltda',
    taxpayerNumber: '**.345.678/0001-**',
    notBefore: inDays(-400),
    notAfter: inDays(-35),
    validity: 'expired',
    isDefault: false,
  },
  {
    ...template,
    alias: 'futuro',
    fingerprint: sha256('futuro'),
    holder: 'João Exemplo',
    notBefore: inDays(3),
    validity: 'not-yet-valid',
    isDefault: false,
    isTest: true,
    issuer: 'Sinete Test CA',
  },
];

/** Details of a certificate of the list. */
export function describe(certificate: CertificateView): CertificateDetails {
  return {
    ...certificate,
    serialNumberHex: '3f9a77c21d08e4b5',
    subject: [
      { type: 'C', value: 'BR' },
      { type: 'O', value: 'ICP-Brasil' },
      { type: 'OU', value: 'Secretaria da Receita Federal do Brasil - RFB' },
      { type: 'CN', value: certificate.holder.toUpperCase() },
    ],
    issuerName: [
      { type: 'C', value: 'BR' },
      { type: 'CN', value: certificate.issuer },
    ],
    keyUsage: ['digitalSignature', 'nonRepudiation', 'keyEncipherment'],
    extendedKeyUsage: ['clientAuth', 'emailProtection'],
    publicKeyBits: 2048,
    acceptanceNote: null,
    signatureAlgorithm: 'sha256WithRSAEncryption',
    email: 'maria@exemplo.com.br',
    birthDate: '1985-04-09',
    chain: [
      { name: certificate.issuer, notAfter: inDays(1200), fingerprint: sha256('issuing') },
      { name: 'AC Secretaria da Receita Federal do Brasil v4', notAfter: inDays(1800), fingerprint: sha256('rfb') },
      { name: 'Autoridade Certificadora Raiz Brasileira v5', notAfter: inDays(1900), fingerprint: sha256('root') },
    ],
    pem: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
  };
}

export const timestampServers: readonly TimestampServerView[] = [
  {
    id: 'act-exemplo',
    url: 'https://act.exemplo.com.br/tsa',
    digest: 'sha256',
    policy: null,
    authentication: 'basic',
    isTest: false,
  },
  {
    id: 'test',
    url: 'http://127.0.0.1:17180/tsa',
    digest: 'sha256',
    policy: null,
    authentication: 'none',
    isTest: true,
  },
];

export const modules: readonly ModuleView[] = [
  {
    id: 'etoken',
    path: '/usr/lib/libeToken.so',
    product: 'SafeNet Authentication Client',
    state: 'ok',
    problem: null,
    detail: null,
  },
  {
    id: 'starsign',
    path: '/usr/lib/libaetpkss.so',
    product: 'StarSign Crypto USB Token',
    state: 'quarantined',
    problem: 'MODULE_QUARANTINED',
    detail: 'The driver crashed 3 times within a minute.',
  },
];

export const suggestions: readonly ModuleView[] = [
  {
    id: 'opensc',
    path: '/usr/lib/x86_64-linux-gnu/opensc-pkcs11.so',
    product: 'OpenSC',
    state: 'not-added',
    problem: null,
    detail: null,
  },
];

/** The answer about a driver. A path without the ending of a library does not work. */
export function moduleTest(path: string): ModuleTest {
  const works = /\.(so|dll|dylib)$/.test(path);
  return {
    path,
    works,
    problem: works ? null : 'MODULE_NOT_A_DRIVER',
    detail: works ? 'PKCS#11 2.40' : 'The file is no shared library.',
    library: works ? 'OpenSC smartcard framework 0.23' : null,
    slots: works ? 1 : 0,
    tokens: works ? [{ label: 'Cartão OAB', serialNumber: '77aa', model: 'PKCS#15' }] : [],
  };
}

/** A document waiting, with the given name. */
export function waitingDocument(id: string, name: string, size: number): UiDocument {
  const noResult = { resultName: null, resultPath: null, resultSize: null, resultChecksum: null };
  const nothingYet = { error: null, warnings: [], ...noResult, lifetime: null };
  const isPath = name.startsWith('/');
  const place = { claimedName: null, sourcePath: isPath ? name : null, destination: null };
  return { id, ...place, name, size, checksum: sha256(name), status: 'WAITING', ...nothingYet };
}

/** The name of a result: `contract-signed.pdf`, `notes.txt.p7s`. */
function resultOf(type: string, { name, destination, size }: UiDocument): Partial<UiDocument> {
  const result = destination ?? resultNameOf(type, name);
  const resultPath = destination ?? (name.startsWith('/') ? result : null);
  return {
    resultName: result.slice(result.lastIndexOf('/') + 1),
    resultPath,
    resultSize: (size ?? 0) + 9000,
    resultChecksum: sha256(result),
    lifetime: destination === null ? 3600 : null,
  };
}

/** The folder of the archive, for files signed now. */
export const archiveFolder = '/home/maria/Documentos/Assinados/2026-11';

export function resultNameOf(type: string, name: string, suffix = '-signed'): string {
  if (type === 'PAdES' || type === 'PDFSignature') return name.replace(/(\.[^.]*)?$/, `${suffix}.pdf`);
  return `${name}${type.endsWith('detached') ? '.p7s' : '.p7m'}`;
}

/** A transaction of a program. */
export function programTransaction(tcn: string, names: readonly string[]): UiTransaction {
  return {
    tcn,
    status: 'WAITING',
    waitingFor: 'approval',
    requester: 'Processo Eletrônico Exemplo',
    requesterKind: 'native-program',
    certificateAlias: 'maria-a1',
    certificateFingerprint: 'a1'.repeat(32),
    type: 'PAdES',
    digest: 'sha256',
    profile: null,
    claimedRole: null,
    createdAt: new Date(Date.now() - 20_000).toISOString(),
    finishedAt: null,
    documents: names.map((name, index) => waitingDocument(String(index), name, 184_320 * (index + 1))),
  };
}

/** A transaction that is over: all signed, but for names that say `encrypted`. */
export function finishedTransaction(
  tcn: string,
  names: readonly string[],
  minutesAgo: number,
  change: Partial<UiTransaction> = {},
): UiTransaction {
  const at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  // The certificate of a key file is called as an ICP-Brasil authority named its holder.
  const certificateAlias = 'MARIA DA SILVA TESTE:52998224725';
  const base = {
    ...programTransaction(tcn, names),
    certificateAlias,
    createdAt: at,
    finishedAt: at,
    waitingFor: null,
    ...change,
  };
  const documents = base.documents.map((document) => finish(document, base.type));
  return { ...base, documents, status: documents.some((one) => one.status === 'ERROR') ? 'ERROR' : 'SIGNED' };
}

/** The document as signing leaves it. */
export function finish(document: UiDocument, type: string): UiDocument {
  return document.name.includes('protegido')
    ? { ...document, status: 'ERROR', error: { code: 'DOCUMENT_ENCRYPTED', detail: 'The PDF is encrypted.' } }
    : { ...document, status: 'SIGNED', ...resultOf(type, document) };
}

/** The content of Home besides its counts. */
export const home: Pick<Home, 'version' | 'dataFolder' | 'addresses' | 'secretStore' | 'room'> = {
  version: '0.1.0',
  dataFolder: '/home/maria/.local/share/sinete',
  addresses: {
    signing: 'http://127.0.0.1:17171',
    authorization: 'http://127.0.0.1:17171',
    registry: 'http://127.0.0.1:17171',
    assistant: 'http://127.0.0.1:17171',
  },
  secretStore: { kind: 'os-keychain', detail: null },
  room: { state: 'enough', cause: null },
};

/** A check with this finding, as the real core shows it. */
export function check(
  id: string,
  finding: Finding,
  values: CheckValues = {},
  particulars: Particulars = {},
): CheckView {
  return checkForUi(found(id, finding, values, particulars));
}

/** The check of a driver that crashed several times, and can be started again. */
export const stoppedDriver = check(
  'key-source:token:starsign',
  'source-quarantined',
  { name: 'StarSign', problem: 'MODULE_QUARANTINED' },
  { repairs: [{ kind: 'retry-driver', id: 'starsign' }] },
);
