import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, hash, randomBytes, webcrypto, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as asn1js from 'asn1js';
import forge from 'node-forge';
import * as pkijs from 'pkijs';
import { prepareCmsSigner, softwareSigner } from '../../src/signing/index.ts';
import { systemTool } from '../setup/system-packages.ts';
import { makeTestIdentity, toPem } from '../signing/cms/test-identities.ts';
import { interleave, median, compared, milliseconds, type Benchmark, type BenchLine, type Measure } from './harness.ts';

const CONTENT = randomBytes(1024);

interface Identity {
  readonly privateKey: KeyObject;
  readonly certificate: Buffer;
}

/** Signatures per second, in sequence. */
const rate = (count: number, once: () => unknown): Measure => {
  return async () => {
    const elapsed = await milliseconds(async () => {
      for (let index = 0; index < count; index += 1) await once();
    });
    return (count * 1000) / elapsed;
  };
};

function opensslInProcesses({ privateKey, certificate }: Identity, folder: string): () => void {
  const path = (name: string): string => join(folder, name);
  writeFileSync(path('content'), CONTENT);
  writeFileSync(path('certificate.pem'), toPem(certificate));
  writeFileSync(path('key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  const key = ['-signer', path('certificate.pem'), '-inkey', path('key.pem')];
  const words = ['cms', '-sign', '-cades', '-binary', '-nodetach', '-outform', 'DER', ...key, '-in', path('content')];
  return () => {
    execFileSync(systemTool('openssl'), [...words, '-out', path('signature')], { stdio: 'ignore' });
  };
}

/** CMS with content type, message digest and signing time: pkijs has no attribute of CAdES. */
async function withPkijs({ privateKey, certificate }: Identity): Promise<() => Promise<ArrayBuffer>> {
  const engine = new pkijs.CryptoEngine({ name: 'node', crypto: webcrypto as never });
  pkijs.setEngine('node', engine);
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const pkcs8 = Uint8Array.from(privateKey.export({ format: 'der', type: 'pkcs8' }));
  const key = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
  const signer = pkijs.Certificate.fromBER(Uint8Array.from(certificate));
  const sid = new pkijs.IssuerAndSerialNumber({ issuer: signer.issuer, serialNumber: signer.serialNumber });
  return async () => {
    const attribute = (type: string, value: asn1js.BaseBlock): pkijs.Attribute =>
      new pkijs.Attribute({ type, values: [value] });
    const attributes = [
      attribute('1.2.840.113549.1.9.3', new asn1js.ObjectIdentifier({ value: '1.2.840.113549.1.7.1' })),
      attribute('1.2.840.113549.1.9.5', new asn1js.UTCTime({ valueDate: new Date() })),
      attribute(
        '1.2.840.113549.1.9.4',
        new asn1js.OctetString({ valueHex: new Uint8Array(hash('sha256', CONTENT, 'buffer')).buffer }),
      ),
    ];
    const signedData = new pkijs.SignedData({
      version: 1,
      encapContentInfo: new pkijs.EncapsulatedContentInfo({
        eContentType: '1.2.840.113549.1.7.1',
        eContent: new asn1js.OctetString({ valueHex: new Uint8Array(CONTENT).buffer }),
      }),
      signerInfos: [new pkijs.SignerInfo({ version: 1, sid })],
      certificates: [signer],
    });
    const [signerInfo] = signedData.signerInfos;
    if (signerInfo !== undefined) {
      signerInfo.signedAttrs = new pkijs.SignedAndUnsignedAttributes({ type: 0, attributes });
    }
    await signedData.sign(key as never, 0, 'SHA-256');
    const contentType = '1.2.840.113549.1.7.2';
    return new pkijs.ContentInfo({ contentType, content: signedData.toSchema(true) }).toSchema().toBER();
  };
}

function withForge({ privateKey, certificate }: Identity): () => string {
  const { pkcs7, pki, asn1, util } = forge;
  const key = pki.privateKeyFromPem(String(privateKey.export({ format: 'pem', type: 'pkcs1' })));
  const signer = pki.certificateFromPem(toPem(certificate));
  const oids = pki.oids as Record<'data' | 'sha256' | 'contentType' | 'messageDigest' | 'signingTime', string>;
  return () => {
    const signedData = pkcs7.createSignedData();
    signedData.content = util.createBuffer(CONTENT.toString('latin1'));
    signedData.addCertificate(signer);
    signedData.addSigner({
      key,
      certificate: signer,
      digestAlgorithm: oids.sha256,
      authenticatedAttributes: [
        { type: oids.contentType, value: oids.data },
        { type: oids.messageDigest },
        { type: oids.signingTime, value: new Date() as never },
      ],
    });
    signedData.sign();
    return asn1.toDer(signedData.toAsn1()).getBytes();
  };
}

export const benchmark: Benchmark = {
  name: 'CAdES attached over 1 KiB with RSA-2048, one by one: how many times faster than peers',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-bench-peers-'));
    try {
      const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const { certificate } = makeTestIdentity({ name: 'Signer', key });
      const identity = { privateKey: key.privateKey, certificate };
      const signer = prepareCmsSigner(softwareSigner(key.privateKey, certificate, []), {
        digest: 'sha256',
        profile: 'cades',
      });
      const figures = await interleave({
        ours: rate(60, () => signer.signContent(CONTENT, new Date())),
        openssl: rate(4, opensslInProcesses(identity, folder)),
        pkijs: rate(10, await withPkijs(identity)),
        forge: rate(3, withForge(identity)),
      });
      const line = (what: string, peer: Exclude<keyof typeof figures, 'ours'>): BenchLine => ({
        what,
        ...compared(figures, 'ours', peer),
        detail: `${median(figures.ours).toFixed(0)}/s against ${median(figures[peer]).toFixed(0)}/s`,
      });
      return [
        line('openssl cms -sign -cades, a process for each', 'openssl'),
        line('pkijs, which has no CAdES', 'pkijs'),
        line('node-forge, which has no CAdES', 'forge'),
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
