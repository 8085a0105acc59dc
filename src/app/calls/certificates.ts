import { createHash } from 'node:crypto';
import { readDefaultCertificate, writeDefaultCertificate } from '../../service/certificates/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import { isValidCnpj, isValidCpf, Pin, type AliasedKey } from '../../signing/index.ts';
import type { CallHandlers, CallInput, CertificateView } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../compose/open-core.ts';
import type { TestHolderRequest } from '../test-services/test-identities.ts';
import { certificateForUi, detailsForUi, type KeyContext } from './views.ts';

type CertificateCalls = Pick<
  CallHandlers,
  Exclude<Extract<keyof CallHandlers, `certificates.${string}`>, 'certificates.inspect'>
>;

/** The largest PKCS#12 file, in bytes. */
const fileLimit = 10 * 2 ** 20;

/** The calls about certificates and their keys. */
export function certificateCalls(core: Core): CertificateCalls {
  const { keys, storage, now } = core;
  const view = async (key: AliasedKey): Promise<CertificateView> => certificateForUi(key, await contextOf(core));
  return {
    'certificates.list': async () => listCertificates(core),
    'certificates.describe': async ({ alias }) => detailsForUi(await keys.ring.find(alias), await contextOf(core)),
    'certificates.setDefault': async ({ alias }) => {
      await writeDefaultCertificate(storage.settings, (await keys.ring.find(alias)).fingerprint);
      keys.changed();
      return {};
    },
    'certificates.import': async (input) => importFile(core, input),
    'certificates.remove': async ({ alias }) => removeCertificate(core, alias),
    'certificates.unlock': async ({ alias, pin }) => {
      const key = await keys.ring.find(alias);
      const secret = new Pin(pin);
      try {
        await keys.ring.unlock(key, secret);
      } finally {
        secret.wipe();
      }
      keys.changed();
      return view(await keys.ring.find(key.fingerprint));
    },
    'certificates.lock': async ({ alias }) => {
      const key = await keys.ring.find(alias);
      await keys.ring.lock(key);
      keys.changed();
      return view(await keys.ring.find(key.fingerprint));
    },
    'certificates.makeTestIdentity': async (input) => {
      const fingerprint = await core.testIdentities.make(testHolder(input, now()));
      await core.trust.refresh();
      keys.changed();
      return view(await keys.ring.find(fingerprint));
    },
  };
}

async function contextOf({ storage, trust, evidence, now }: Core): Promise<KeyContext> {
  return { defaultFingerprint: await readDefaultCertificate(storage.settings), now: now(), trust, evidence };
}

/** A person, or with a CNPJ a company whose responsible person has the CPF. Throws `REQUEST_INVALID`. */
function testHolder(
  { name, cpf, cnpj, responsible, ...details }: CallInput<'certificates.makeTestIdentity'>,
  now: Date,
): TestHolderRequest {
  const { birthDate, email, nis, rg, voterId, keyKind, years } = details;
  if (!isValidCpf(cpf)) throw new ServiceError('REQUEST_INVALID', 'This CPF is not valid: check its digits.');
  const options = {
    keyKind,
    email,
    notAfter: years === undefined ? undefined : yearsFromNow(now, years),
  };
  const person = { cpf, birthDate, nis, rg };
  if (cnpj === undefined) {
    if (responsible !== undefined) {
      throw new ServiceError('REQUEST_INVALID', 'Only a company has a responsible person: give its CNPJ as well.');
    }
    return { name, ...person, ...options, voterId };
  }
  if (!isValidCnpj(cnpj)) throw new ServiceError('REQUEST_INVALID', 'This CNPJ is not valid: check its digits.');
  if (responsible === undefined) {
    throw new ServiceError('REQUEST_INVALID', 'A company needs the name of its responsible person.');
  }
  if (voterId !== undefined) {
    throw new ServiceError('REQUEST_INVALID', "A company's certificate has no voter's card.");
  }
  return { name, cnpj, responsible: { name: responsible, ...person }, ...options };
}

function yearsFromNow(now: Date, years: number): Date {
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + years);
  return end;
}

/** All certificates with a key here, in the form of the list. */
export async function listCertificates(core: Core): Promise<CertificateView[]> {
  const context = await contextOf(core);
  const all = await core.keys.ring.list();
  return Promise.all(all.map(async (key) => certificateForUi(key, context)));
}

async function importFile(
  core: Core,
  { file, password, label }: { readonly file: string; readonly password: string; readonly label?: string | undefined },
): Promise<CertificateView[]> {
  const bytes = Buffer.from(file, 'base64');
  if (bytes.length > fileLimit) throw new ServiceError('KEY_FILE_INVALID', 'A key file may have at most 10 MiB.');
  const { keys } = await core.workers.readPkcs12(bytes, password);
  if (keys.length === 0) {
    throw new ServiceError('KEY_FILE_INVALID', 'The file holds no private key that has a certificate.');
  }
  const added = new Set<string>();
  try {
    for (const key of keys) {
      const id = createHash('sha256').update(key.certificate).digest('hex');
      await core.keys.vault.add({ ...key, id, label: label ?? key.label });
      added.add(id);
    }
  } finally {
    for (const { privateKey } of keys) privateKey.fill(0);
    bytes.fill(0);
  }
  core.keys.changed();
  return (await listCertificates(core)).filter(({ fingerprint }) => added.has(fingerprint));
}

async function removeCertificate({ keys, storage }: Core, alias: string): Promise<Record<string, never>> {
  const key = await keys.ring.find(alias);
  if (key.source === 'token') {
    throw new ServiceError(
      'REQUEST_INVALID',
      'This certificate is on a token. Remove it with the program of the token.',
    );
  }
  if (key.source === 'browser') {
    throw new ServiceError('REQUEST_INVALID', `This certificate is in ${key.place ?? 'a browser'}. Remove it there.`);
  }
  await keys.ring.lock(key);
  await keys.vault.remove(key.id);
  if ((await readDefaultCertificate(storage.settings)) === key.fingerprint) {
    await writeDefaultCertificate(storage.settings, undefined);
  }
  keys.changed();
  return {};
}
