/** States of the product's core for the tests, places and pictures of the window. */
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { newTcn } from '../../src/service/transactions/intake/create.ts';
import type { CallInput } from '../../src/ui-contract/ui-contract.ts';
import { companyWith, COMPANY_CNPJ, JOAO_CPF, MARIA_CPF, personWith } from '../pki/identities.ts';
import { until } from '../setup/waits.ts';
import { createFaultyModule, type FaultyModule } from '../token/fault-module/build-fault-module.ts';
import { createSoftHsm, type SoftHsm } from '../token/softhsm.ts';
import { contentOf } from './actions.ts';
import { portal } from './asking.ts';
import { mariaAlias, RealCore, type RealPlan } from './real-core.ts';

const DAY = 86_400_000;

/** An instant some days from now. */
export const inDays = (days: number): Date => new Date(Date.now() + days * DAY);

/** Signs files by their paths, beside the window, and answers the number of the request. */
export async function signFiles(
  core: RealCore,
  contents: Readonly<Record<string, Buffer>> | readonly string[],
  request: Partial<CallInput<'sign.paths'>> = {},
): Promise<string> {
  const given = Array.isArray(contents)
    ? Object.fromEntries((contents as readonly string[]).map((name) => [name, contentOf(name)]))
    : (contents as Readonly<Record<string, Buffer>>);
  const files = [];
  for (const [name, content] of Object.entries(given)) files.push({ path: await core.put(name, content) });
  const { tcn } = await core.calls['sign.paths']({ type: 'PAdES', digest: 'sha256', files, ...request });
  await core.approve(tcn);
  return tcn;
}

/** A request of the past. */
export interface PastRequest {
  readonly minutesAgo: number;
  /** The names of its documents. Default: the names of the original. */
  readonly names?: readonly string[];
  /** The name of the program behind the request. Default: the requester of the original. */
  readonly requester?: string;
}

/** Stores copies of a finished request, as if each had been made some time ago. The files of their results are gone. */
export async function rememberRequests(core: RealCore, tcn: string, copies: readonly PastRequest[]): Promise<void> {
  const { transactions } = core.sinete.core.storage;
  const stored = await transactions.read(tcn);
  const [document] = stored?.documents ?? [];
  if (stored === undefined || document === undefined) throw new Error('No request has this number.');
  const usualNames = stored.documents.map(({ originalFileName }) => originalFileName ?? '');
  for (const { minutesAgo, names = usualNames, requester } of copies) {
    const at = new Date(Date.now() - minutesAgo * 60_000);
    const copy = newTcn();
    await transactions.insert({
      transaction: {
        ...stored.transaction,
        requester: requester === undefined ? stored.transaction.requester : { kind: 'native-program', name: requester },
        tcn: copy,
        createdAt: at,
        finishedAt: at,
      },
      documents: names.map((name, position) => ({
        ...document,
        key: randomBytes(16).toString('hex'),
        tcn: copy,
        position,
        id: String(position),
        originalFileName: name,
        content: document.content?.kind === 'path' ? { kind: 'path', path: join(core.folder, name) } : document.content,
        destinationPath: document.result === null ? null : join(core.folder, 'Assinados', resultNameOf(name)),
        result: document.result === null ? null : { ...document.result, signedAt: at },
      })),
    });
  }
}

const resultNameOf = (name: string): string => name.replace(/(\.[^.]*)?$/, '-assinado.pdf');

/** Stores so many requests of the past, 90 minutes apart; every ninth failed, with `protegido` in the name of the document. */
export async function fillHistory(core: RealCore, count: number, requester?: string): Promise<void> {
  const signed = await signFiles(core, ['Contrato.pdf']);
  const failed = await signFiles(core, { 'Anexo protegido.pdf': Buffer.from('%PDF-1.7 damaged') });
  const all = Array.from({ length: count }, (_, index) => ({ index, minutesAgo: index * 90, requester }));
  const isFailed = ({ index }: { readonly index: number }): boolean => index % 9 === 4;
  await rememberRequests(
    core,
    signed,
    all.filter((one) => !isFailed(one)).map((one) => ({ ...one, names: [`Contrato ${one.index}.pdf`] })),
  );
  await rememberRequests(
    core,
    failed,
    all.filter(isFailed).map((one) => ({ ...one, names: [`Anexo protegido ${one.index}.pdf`] })),
  );
}

/**
 * A core with a trusted test identity, Maria, and with running test services at the port, which also answer about
 * revocation.
 */
export const withTestIdentity = (testServicesPort: number, prepare?: RealPlan['prepare']): RealPlan => ({
  keys: 'none',
  configuration: { testServicesPort },
  prepare: async (core) => {
    await core.calls['testServices.run']({});
    await core.calls['certificates.makeTestIdentity']({ name: 'Maria da Silva Teste', cpf: MARIA_CPF });
    await prepare?.(core);
  },
});

/** Adds an S3 store, `escritorio`, at an address. */
export async function addStore({ calls }: RealCore, endpoint: string): Promise<void> {
  await calls['stores.add']({
    kind: 's3',
    id: 'escritorio',
    endpoint,
    region: 'us-east-1',
    bucket: 'contratos',
    prefix: 'entrada/',
    pathStyle: true,
    overwrite: false,
    accessKeyId: 'AKIA',
    secretAccessKey: 'segredo',
  });
}

/** Adds a time-stamp server with user and password, at an address without a server. */
export async function addServer({ calls }: RealCore): Promise<void> {
  await calls['tsa.add']({
    id: 'act-exemplo',
    url: 'http://127.0.0.1:9/tsa',
    digest: 'sha256',
    authentication: { kind: 'basic', user: 'maria', password: 'segredo' },
  });
}

/** A token with a count of wrong PINs, and its driver, which crashes on demand. */
export interface OddToken {
  readonly hsm: SoftHsm;
  readonly driver: FaultyModule;
}

let oddToken: Promise<OddToken> | undefined;

async function makeOddToken(): Promise<OddToken> {
  const key = { label: 'maria-a3', keyId: '01', kind: 'ec-p256', name: 'MARIA DA SILVA TESTE' } as const;
  const hsm = await createSoftHsm([{ label: 'eToken 5110 Maria', keys: [key] }]);
  return { hsm, driver: await createFaultyModule(hsm) };
}

/** The token, made once in a test process. The driver works, and locks the PIN after three wrong PINs. */
export async function useOddToken(): Promise<OddToken> {
  const token = await (oddToken ??= makeOddToken());
  token.driver.faults('lock=3');
  return token;
}

/** A core with this token. The key file of Maria stays the default. */
export async function withOddToken(prepare?: RealPlan['prepare']): Promise<RealPlan> {
  const { driver } = await useOddToken();
  return { token: driver, prepare: afterDefault(prepare) };
}

const afterDefault =
  (prepare?: RealPlan['prepare']): RealPlan['prepare'] =>
  async (core) => {
    await core.calls['certificates.setDefault']({ alias: mariaAlias });
    await prepare?.(core);
  };

/** Lets the driver crash until the core quarantines it. */
export async function stopDriver({ calls }: RealCore): Promise<void> {
  const { driver } = await useOddToken();
  driver.faults('slots=segv');
  await until(async () => {
    await calls['certificates.list']({}).catch(() => undefined);
    return (await calls['modules.list']({})).some(({ state }) => state === 'quarantined');
  }, 'the driver is quarantined');
}

/** Certificates in every state of the list, a driver that works, and a quarantined driver. */
export async function withCertificates(): Promise<RealPlan> {
  const { hsm, driver } = await useOddToken();
  return {
    token: { modulePath: hsm.modulePath, environment: driver.environment },
    prepare: afterDefault(async (core) => {
      await addOtherCertificates(core);
      await core.calls['modules.add']({ path: driver.modulePath });
      await stopDriver(core);
    }),
  };
}

/** The key of a company with an expired certificate, and of a person with a certificate of the future. */
export async function addOtherCertificates(core: RealCore): Promise<void> {
  const expired = { notBefore: inDays(-400), notAfter: inDays(-35) };
  await core.importKey(await companyWith({ name: 'PADARIA EXEMPLO LTDA', ...expired }));
  await core.importKey(
    await personWith({ name: 'JOAO EXEMPLO', cpf: JOAO_CPF, notBefore: inDays(3), notAfter: inDays(300) }),
  );
}

/** A green square: the smallest PNG that has a colour. */
const photo =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Maria, João and a company are enrolled; Maria, who has a photo, and the company are users of this computer. */
export const withUsers: RealPlan = {
  prepare: async (core) => {
    await core.enrolUser('Maria da Silva Teste', MARIA_CPF, photo);
    await core.enrol('João Exemplo', JOAO_CPF);
    await core.enrolUser('Padaria Exemplo Ltda', COMPANY_CNPJ);
  },
};

/** Wrong codes of João, and wrong secrets of an application, until both must wait. */
export const withPauses: RealPlan = {
  prepare: async (core) => {
    await withUsers.prepare?.(core);
    const about = { email: 'app@exemplo.com.br', comments: '', redirectUris: ['http://127.0.0.1:8000/volta'] };
    const { application } = await core.calls['applications.add']({ name: 'Processo Eletrônico Exemplo', ...about, isPublic: false }); // prettier-ignore
    const wrong: readonly Record<string, string>[] = [
      { grant_type: 'password', username: JOAO_CPF, password: '000000' },
      { grant_type: 'client_credentials', client_id: application.clientId, client_secret: 'errado' },
    ];
    for (const fields of wrong) {
      for (let attempt = 0; attempt < 5; attempt += 1) {
        await fetch(`${core.origin}/oauth`, { method: 'POST', body: new URLSearchParams(fields) });
      }
    }
  },
};

/** Sites of the person and of the configuration, a folder open to a site, and two applications. */
export const withSites: RealPlan = {
  configuration: { sites: [{ origin: 'https://intranet.exemplo.org', scopes: ['certificates:read', 'sign'] }] },
  prepare: async (core) => {
    const { calls, folder } = core;
    const scopes = ['certificates:read', 'sign', 'user:read'] as const;
    await calls['sites.change']({ origin: portal, scopes: [...scopes], days: 30 });
    await calls['sites.change']({ origin: 'https://xn--exmplo-iva.com.br:8443', scopes: ['sign'], days: null });
    await calls['sites.allowFiles']({ caller: portal, root: folder, access: 'read', days: 30 });
    const tcn = await core.askAsSite(portal);
    await calls['approvals.decide']({ tcn, decision: 'approve', standing: { signatures: 12, minutes: 10 } });
    const about = { email: 'app@exemplo.com.br', comments: 'Testes', redirectUris: ['http://127.0.0.1:8000/volta'] };
    await calls['applications.add']({ name: 'Processo Eletrônico Exemplo', ...about, isPublic: false });
    await calls['applications.add']({ name: 'Aplicativo de celular', ...about, isPublic: true });
  },
};

/** Two sites that the guard refused: a plain http site, and an extension that nobody named. */
export const withRefusedSites: RealPlan = {
  prepare: async (core) => {
    for (const origin of ['http://intranet.exemplo.com.br', 'chrome-extension://abcdefghijklmnopabcdefghijklmnop']) {
      await core.askAsSite(origin).catch(() => undefined);
    }
  },
};

/**
 * A folder of two files under renewal: a deed whose time-stamp server does not answer any more, and a signature
 * without its document. A second folder under renewal is gone. The port is for the test services.
 */
export function withRenewals(testServicesPort: number): RealPlan {
  const plan = withTestIdentity(testServicesPort, async (core) => {
    const { calls, folder } = core;
    await signFiles(core, ['arquivo/escritura.pdf'], { policy: 'B-LTA' });
    await signFiles(core, ['arquivo/nota.txt'], { type: 'CAdES-detached' });
    await rm(join(folder, 'arquivo', 'nota.txt'));
    await calls['testServices.stop']({});
    await mkdir(join(folder, 'levado'));
    for (const kept of ['arquivo', 'levado']) await calls['renewals.addFolder']({ path: join(folder, kept) });
    await rm(join(folder, 'levado'), { recursive: true });
    await calls['renewals.look']({});
  });
  const within = 50 * 365 * 86_400;
  return { ...plan, configuration: { ...plan.configuration, renewal: { mode: 'automatic', within } } };
}

/**
 * Two finished requests with a failed notification each, to `/assinado` and `/fim` of the origin. The attempts for `/fim`
 * were given up.
 */
export const withDeliveries = (origin: string): RealPlan => ({
  prepare: async (core) => {
    for (const path of ['fim', 'assinado']) {
      const documents = { type: 'CAdES-detached', documents_source: 'DATA_URL', documents: 'data:,um' };
      const tcn = await core.ask({ ...documents, notification_callback: `${origin}/${path}?tcn=` });
      await core.approve(tcn);
    }
    const told = async () => core.calls['notifications.list']({ limit: 10 });
    await until(
      async () => (await told()).filter(({ attempts }) => attempts > 0).length === 2,
      'both attempts are noted',
    );
    for (const { id, target } of await told()) {
      if (target.endsWith('/fim')) await core.calls['notifications.giveUp']({ id });
    }
  },
});

/** Changes a row of the audit log in the database, past the core's own protection. */
export async function changeAuditRow(core: RealCore, sequence: number): Promise<void> {
  const { database } = core.sinete.core.storage;
  await sql`drop trigger audit_log_no_update`.execute(database);
  await sql`update audit_log set at = at + 1 where sequence = ${sequence}`.execute(database);
}

/** The passphrase of every backup here. */
export const passphrase = 'cavalo correto bateria';

/** The name of the backup of another instance, in the folder of the core. */
export const strangersBackup = 'de-outro.backup';

/** Makes a backup of another instance, with a permitted site and a person, and answers the path. */
export async function makeStrangersBackup({ folder }: RealCore): Promise<string> {
  const path = join(folder, strangersBackup);
  const other = await RealCore.start();
  try {
    await other.calls['sites.change']({ origin: 'https://evil.example', scopes: ['sign'], days: null });
    await other.enrol('Maria', MARIA_CPF);
    await other.calls['backup.make']({ path, passphrase });
  } finally {
    await other.stop();
  }
  return path;
}
