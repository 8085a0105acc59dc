import { constants, createPrivateKey, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  FileKeySource,
  Pin,
  parseCertificate,
  readPkcs12,
  type KeyImport,
  type KeySource,
  type KeyVault,
  type Signer,
  type VaultEntry,
} from '../../../src/signing/index.ts';
import { softwareSigner } from '../../../src/signing/keys/software-signer.ts';
import { verifiedSigner } from '../../../src/signing/keys/verified-signer.ts';
import { writePkcs12, type TestIdentity } from '../../../src/test-authority/index.ts';
import { JOAO_CPF, personWith } from '../../pki/identities.ts';

/** A vault in memory; counts the reads of private keys and remembers the copies given away. */
class MemoryVault implements KeyVault {
  readonly given: Buffer[] = [];
  readonly #entries = new Map<string, KeyImport>();

  list(): Promise<readonly VaultEntry[]> {
    const entries = [...this.#entries.values()];
    return Promise.resolve(entries.map(({ id, label, certificate, chain }) => ({ id, label, certificate, chain })));
  }

  readPrivateKey(id: string): Promise<Buffer> {
    const copy = Buffer.from(this.#entries.get(id)!.privateKey);
    this.given.push(copy);
    return Promise.resolve(copy);
  }

  add(entry: KeyImport): Promise<void> {
    this.#entries.set(entry.id, { ...entry, privateKey: Buffer.from(entry.privateKey) });
    return Promise.resolve();
  }

  remove(id: string): Promise<void> {
    this.#entries.delete(id);
    return Promise.resolve();
  }
}

let maria: TestIdentity;
let joao: TestIdentity;
const message = Buffer.from('a message');

beforeAll(async () => {
  maria = await personWith({ keyKind: 'rsa-2048' });
  joao = await personWith({ name: 'JOAO DE TESTE', cpf: JOAO_CPF });
});

async function vaultWith(...entries: readonly KeyImport[]): Promise<MemoryVault> {
  const vault = new MemoryVault();
  for (const entry of entries) await vault.add(entry);
  return vault;
}

const entryOf = (id: string, identity: TestIdentity): KeyImport => ({ ...identity, id, label: `label of ${id}` });

const keyOf = (signer: Signer): KeyObject => parseCertificate(signer.certificate).publicKey();

describe('FileKeySource', () => {
  it('lists the keys of the vault without reading a private key', async () => {
    const vault = await vaultWith(entryOf('a', maria), entryOf('b', joao));
    const keys = await new FileKeySource(vault).list();
    expect(keys).toEqual([
      { id: 'a', source: 'file', label: 'label of a', certificate: maria.certificate, chain: maria.chain },
      { id: 'b', source: 'file', label: 'label of b', certificate: joao.certificate, chain: joao.chain },
    ]);
    expect(vault.given).toHaveLength(0);
  });

  it('signs with the key of a PKCS#12 file put into the vault', async () => {
    const { keys } = await readPkcs12(await writePkcs12(maria, 'senha'), 'senha');
    const vault = await vaultWith({ ...keys[0]!, id: 'a' });
    const signer = await new FileKeySource(vault).open('a');
    expect(signer.chain).toEqual(maria.chain);
    const simple = await signer.sign(message, { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha256' });
    expect(verify('sha256', message, keyOf(signer), simple)).toBe(true);
    const pss = await signer.sign(message, { scheme: 'rsassa-pss', digest: 'sha512' });
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 };
    expect(verify('sha512', message, { key: keyOf(signer), ...padding }, pss)).toBe(true);
  });

  it.each(['ec-p384', 'ed25519'] as const)('signs with a %s key', async (keyKind) => {
    const identity = await personWith({ keyKind });
    const signer = await new FileKeySource(await vaultWith(entryOf('a', identity))).open('a');
    const scheme = signer.schemes[0]!;
    const signature = await signer.sign(message, { scheme, digest: 'sha384' });
    const key = createPublicKey(keyOf(signer).export({ format: 'pem', type: 'spki' }));
    expect(verify(scheme === 'ed25519' ? null : 'sha384', message, key, signature)).toBe(true);
  });

  it('reads a key once, and wipes the bytes given by the vault', async () => {
    const vault = await vaultWith(entryOf('a', joao));
    const source = new FileKeySource(vault);
    const [first, second] = await Promise.all([source.open('a'), source.open('a')]);
    expect(await source.open('a')).toBe(first);
    expect(second).toBe(first);
    expect(vault.given).toHaveLength(1);
    expect(vault.given[0]!.every((byte) => byte === 0)).toBe(true);
    await source.lock('a');
    await source.open('a');
    expect(vault.given).toHaveLength(2);
  });

  it('gives the key of the present certificate, after an entry was replaced or removed', async () => {
    const vault = await vaultWith(entryOf('a', joao));
    const source = new FileKeySource(vault);
    await source.open('a');
    await vault.add(entryOf('a', maria));
    expect((await source.open('a')).certificate).toEqual(maria.certificate);
    await vault.remove('a');
    await expect(source.open('a')).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
  });

  it('does not sign with a key foreign to its certificate, of the same kind or another', async () => {
    const other = await personWith();
    const vault = await vaultWith(
      entryOf('same kind', { ...joao, privateKey: other.privateKey }),
      entryOf('another kind', { ...joao, privateKey: maria.privateKey }),
      entryOf('no key', { ...joao, privateKey: Buffer.from('nothing') }),
    );
    const source = new FileKeySource(vault);
    for (const id of ['same kind', 'another kind', 'no key']) {
      await expect(source.open(id)).rejects.toMatchObject({ code: 'KEY_MISMATCH' });
    }
  });

  it('tries again after the vault failed', async () => {
    const vault = await vaultWith(entryOf('a', joao));
    const source = new FileKeySource(vault);
    const read = vault.readPrivateKey.bind(vault);
    vault.readPrivateKey = () => Promise.reject(new Error('sealed'));
    await expect(source.open('a')).rejects.toThrow('sealed');
    vault.readPrivateKey = read;
    expect((await source.open('a')).certificate).toEqual(joao.certificate);
  });

  it('needs no PIN, and tells its health', async () => {
    const vault = await vaultWith();
    const source: KeySource = new FileKeySource(vault, { id: 'vault', name: 'Arquivos' });
    await source.unlock('a', new Pin('1234'));
    expect(await source.health()).toEqual({ id: 'vault', name: 'Arquivos', state: 'ok' });
    vault.list = () => Promise.reject(new Error('no database'));
    expect(await source.health()).toMatchObject({ state: 'failing', detail: expect.any(String) as string });
    await source.close();
  });
});

describe('verifiedSigner', () => {
  it('throws away a wrong signature', async () => {
    const key = createPrivateKey({ key: maria.privateKey, format: 'der', type: 'pkcs8' });
    const signer = softwareSigner(key, maria.certificate, maria.chain);
    const faulty = verifiedSigner({
      ...signer,
      sign: async (bytes, parameters) => {
        const signature = await signer.sign(bytes, parameters);
        signature[10] = signature[10]! ^ 1;
        return signature;
      },
    });
    for (const scheme of signer.schemes) {
      await expect(faulty.sign(message, { scheme, digest: 'sha256' })).rejects.toMatchObject({
        code: 'SIGNATURE_INVALID',
      });
    }
  });
});
