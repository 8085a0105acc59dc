/** Fuzz targets of files that are not the usual: evidence records, time stamps, odd wrappings, lists, pictures, forms. */
import type { IncomingMessage } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  Oid,
  SigningError,
  derBoolean,
  derContext,
  derElement,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derPrimitiveContext,
  derSequence,
  derSetOf,
  derUtf8String,
  parseCertificate,
  readDer,
  validateSignature,
  type Certificate,
  type ValidationServices,
} from '../../src/signing/index.ts';
import { DIGEST_OIDS, createDigest } from '../../src/signing/algorithms/algorithms.ts';
import { readSignatureAlgorithm } from '../../src/signing/algorithms/signature-algorithm.ts';
import { readStructureAlgorithm } from '../../src/signing/certificates/path/signed-structure.ts';
import { findRecordProblem, readEvidenceRecord } from '../../src/signing/evidence-records/index.ts';
import { readGif } from '../../src/signing/pdf/appearance/read-gif.ts';
import { readPng } from '../../src/signing/pdf/appearance/read-png.ts';
import { readZip } from '../../src/signing/certificates/trust/read-zip.ts';
import { readCrlExtensions, readCrlHead } from '../../src/signing/revocation/crl/crl-head.ts';
import { coveredReasons, mayBeAbout, scopeKey } from '../../src/signing/revocation/crl/crl-scope.ts';
import { RevocationOid } from '../../src/signing/revocation/revocation-sources.ts';
import { unwrapText } from '../../src/signing/der/unwrap-text.ts';
import { detectFileKind } from '../../src/values/file-kind.ts';
import { writeTimestampRequest } from '../../src/signing/timestamps/timestamp-response.ts';
import { readMimeSignature } from '../../src/signing/validation/input/read-mime.ts';
import { ServiceError } from '../../src/service/errors/index.ts';
import { createValidator } from '../../src/service/validation/index.ts';
import { HttpError } from '../../src/http/http-error.ts';
import { withValidatorForm } from '../../src/http/signing-service/read-validator-form.ts';
import { answerTimestampRequest, writeCrl } from '../../src/test-authority/index.ts';
import { writeZip } from '../signing/certificates/trust/write-zip.ts';
import { makeGif, makePng } from '../signing/pdf/pictures.ts';
import {
  chainOf,
  digestOf,
  recordOf,
  rehashed,
  renewal,
  stampOver,
  withRecord,
} from '../signing/validation/craft-evidence-record.ts';
import { SIGNED_AT, ValidationWorld } from '../signing/validation/validation-world.ts';
import type { Target } from './targets.ts';

const CONTENT = Buffer.from('what was signed');

/** Refusals of other layers, in the form that a run expects. */
async function refusing(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (error instanceof ServiceError || error instanceof HttpError) {
      throw new SigningError('CMS_MALFORMED', error.message);
    }
    throw error;
  }
}

/** Records of each shape: alone, in a tree, renewed, with a new chain. */
function records(world: ValidationWorld): readonly Buffer[] {
  const other = digestOf('sha256', Buffer.from('other'));
  const first = stampOver(world, [digestOf('sha256', CONTENT)], { beside: [other], above: [[other], [other]] });
  const chain = chainOf(first, renewal(world, first));
  const again = stampOver(world, [rehashed('sha512', CONTENT, [chain])], { algorithm: 'sha512', names: 'sha512' });
  const alone = stampOver(world, [digestOf('sha256', CONTENT)], { withoutTree: true, withoutLists: true });
  return [recordOf(chainOf(alone)), recordOf(chainOf(first)), recordOf(chain), recordOf(chain, chainOf(again))];
}

/** The reader and the rules of hashes. A record without a problem is one over the content. */
function evidenceRecordTarget(): Target {
  const other = Buffer.from('other content');
  return {
    samples: async () => records(await ValidationWorld.open()),
    async read(input) {
      const record = readEvidenceRecord(input);
      const over = (content: Buffer) =>
        findRecordProblem(record, async (algorithm) =>
          Promise.resolve([[createDigest(algorithm).update(content).digest()]]),
        );
      await over(CONTENT);
      if ((await over(other)) === undefined) throw new Error('A record is over content that nobody stamped.');
    },
  };
}

/** Files validated over the content, without a network. */
function validationTarget(make: (world: ValidationWorld) => Promise<readonly Buffer[]> | readonly Buffer[]): Target {
  let services: ValidationServices | undefined;
  return {
    async samples() {
      const world = await ValidationWorld.open();
      services = world.services({ offline: true });
      return make(world);
    },
    async read(input) {
      if (services !== undefined) await validateSignature({ signature: input, content: CONTENT }, services);
    },
  };
}

const signatureOf = async (world: ValidationWorld): Promise<Buffer> =>
  world.cms(await world.person()).signContent(CONTENT, SIGNED_AT);

const text = (bytes: Buffer): string => bytes.toString('base64').replaceAll(/.{64}/g, '$&\r\n');

async function signatureWithRecord(world: ValidationWorld): Promise<readonly Buffer[]> {
  const signature = await signatureOf(world);
  const record = recordOf(chainOf(stampOver(world, [digestOf('sha256', signature)])));
  return [withRecord(signature, record), withRecord(signature, record, true)];
}

function timestampFiles(world: ValidationWorld): readonly Buffer[] {
  const imprint = digestOf('sha256', CONTENT);
  const request = writeTimestampRequest({ digest: 'sha256', imprint, policy: undefined, nonce: Buffer.of(1) });
  const response = answerTimestampRequest(world.tsa, request, { now: world.now });
  const refusal = answerTimestampRequest(world.tsa, Buffer.from('nothing'));
  return [response, Buffer.from(readDer(response).child(1, 'the token').bytes), refusal];
}

/** SignedData with certificates and lists, which nobody signed. */
async function certificatesOnly(world: ValidationWorld): Promise<readonly Buffer[]> {
  const { certificate, chain } = await world.person();
  const fields = (...more: readonly Buffer[]): Buffer =>
    derSequence(derInteger(1), derSetOf(), derSequence(derOid(Oid.data)), ...more, derSetOf());
  return [
    derSequence(derOid(Oid.signedData), derContext(0, fields(derContext(0, certificate, ...chain)))),
    derSequence(derOid(Oid.signedData), derContext(0, fields(derContext(1, world.crl('issuing'))))),
    certificate,
  ];
}

async function wrapped(world: ValidationWorld): Promise<readonly Buffer[]> {
  const lines = text(await signatureOf(world));
  return [Buffer.from(lines), Buffer.from(`-----BEGIN PKCS7-----\r\n${lines}\r\n-----END PKCS7-----\r\n`)];
}

async function mimeMessages(): Promise<readonly Buffer[]> {
  const lines = text(await signatureOf(await ValidationWorld.open()));
  const head = 'MIME-Version: 1.0\r\nContent-Type: ';
  const part =
    'Content-Type: application/pkcs7-signature; name="smime.p7s"\r\nContent-Transfer-Encoding: base64\r\n\r\n';
  const opaque = 'application/pkcs7-mime; smime-type=signed-data\r\nContent-Transfer-Encoding: base64\r\n\r\n';
  const clear = 'multipart/signed; protocol="application/pkcs7-signature"; boundary="b"\r\n\r\n';
  return [
    Buffer.from(`${head}${opaque}${lines}\r\n`),
    Buffer.from(`${head}${clear}--b\r\n\r\n${CONTENT.toString()}\r\n--b\r\n${part}${lines}\r\n--b--\r\n`),
  ];
}

/** Beginnings of signatures named and not judged. */
const FOREIGN: readonly Buffer[] = [
  ...[
    '<?xml version="1.0" encoding="UTF-8"?>\n<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo/></ds:Signature>',
    'eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2lnbmF0dXJl',
    '{"payload":"e30","signatures":[{"protected":"eyJhbGciOiJFUzI1NiJ9","signature":"c2ln"}]}',
    'PK\x03\x04\x0a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x1f\x00\x00\x00\x1f\x00\x00\x00\x08\x00\x00\x00mimetypeapplication/vnd.etsi.asic-e+zip',
    '%PDF-1.7\n',
    '\xff\xfe<\0?\0x\0m\0l\0?\0>\0',
  ].map((sample) => Buffer.from(sample, 'latin1')),
  writeZip([{ name: 'META-INF/signatures.xml', content: CONTENT, stored: true }]),
];

/** The recognition of a file by its beginning, in a file. */
function detectTarget(): Target {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-fuzz-'));
  const path = join(folder, 'input');
  const validator = createValidator({
    run: () => Promise.reject(new SigningError('CMS_MALFORMED', 'Nothing is judged here.')),
  });
  return {
    samples: () => Promise.resolve(FOREIGN),
    async read(input) {
      await writeFile(path, input);
      await refusing(() => validator.validate({ kind: 'detect', signaturePath: path }));
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const extension = (oid: string, value: Buffer): Buffer =>
  derSequence(derOid(oid), derBoolean(true), derOctetString(value));

/** DER of `[0]` of lists: deltas, indirect, of some reasons, with relative names. */
function listExtensions(): readonly Buffer[] {
  const relative = derSequence(derOid('2.5.4.3'), derUtf8String('lists'));
  const url = derPrimitiveContext(6, Buffer.from('http://lists.test/'));
  const flag = (number: number): Buffer => derPrimitiveContext(number, Buffer.of(0xff));
  const reasons = derPrimitiveContext(3, Buffer.of(0x04, 0x60));
  const points = [
    derSequence(derContext(0, derContext(0, url)), flag(4)),
    derSequence(derContext(0, derContext(1, relative)), flag(1), reasons),
  ];
  return points.map((point, index) =>
    derContext(
      0,
      derSequence(
        extension(RevocationOid.issuingDistributionPoint, point),
        ...(index === 0 ? [] : [extension(RevocationOid.deltaCrlIndicator, derInteger(7))]),
        extension(RevocationOid.crlNumber, derInteger(8)),
      ),
    ),
  );
}

/** The scope of a list, and whether it answers about a certificate; each input is also read as a whole list. */
function listScopeTarget(): Target {
  let subject: Certificate | undefined;
  return {
    async samples() {
      const world = await ValidationWorld.open();
      const { certificate } = await world.person();
      subject = parseCertificate(certificate);
      const times = { number: 1, thisUpdate: SIGNED_AT, nextUpdate: null };
      const indirect = writeCrl({ issuer: world.authority.issuing, ...times, distributionPoint: { indirect: true } }, [
        { serialNumber: Buffer.of(1), at: SIGNED_AT, certificateIssuer: subject.issuer },
      ]);
      return [...listExtensions(), indirect];
    },
    read(input) {
      const certificate = subject;
      if (certificate === undefined) return;
      if (input[0] === 0x30) mayBeAbout(certificate, readCrlHead(input, input.length).issuer);
      const found = readCrlExtensions(input, certificate.issuer);
      coveredReasons(certificate, certificate.issuer, found);
      scopeKey(certificate.issuer, found);
    },
  };
}

/** AlgorithmIdentifiers: PSS with one and with two hash functions, SHA-3, SHA-224, SHA-512/256. */
function algorithms(): readonly Buffer[] {
  const hashOf = (oid: string): Buffer => derSequence(derOid(oid), derNull());
  const pss = (hash: string, mask: string, salt: number): Buffer =>
    derSequence(
      derOid(Oid.rsassaPss),
      derSequence(
        derContext(0, hashOf(hash)),
        derContext(1, derSequence(derOid(Oid.mgf1), hashOf(mask))),
        derContext(2, derInteger(salt)),
        derContext(3, derInteger(1)),
      ),
    );
  return [
    pss(DIGEST_OIDS.sha256, DIGEST_OIDS.sha256, 32),
    pss(DIGEST_OIDS['sha3-256'], DIGEST_OIDS.sha1, 20),
    derSequence(derOid(Oid.rsassaPss), derSequence()),
    ...['2.16.840.1.101.3.4.3.10', '2.16.840.1.101.3.4.3.14', '1.2.840.10045.4.3.1'].map((oid) =>
      derSequence(derOid(oid)),
    ),
    ...Object.values(DIGEST_OIDS).map(hashOf),
    derElement(0x30, derOid('1.2.840.113549.1.1.15'), derNull()),
  ];
}

function readAlgorithms(input: Buffer): void {
  const element = readDer(input);
  const [, parameters] = element.children;
  const attempt = (action: () => unknown): void => {
    try {
      action();
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
    }
  };
  attempt(() => readStructureAlgorithm(element));
  attempt(() => readSignatureAlgorithm({ oid: Oid.rsassaPss, parameters }, 'sha256'));
}

/** The form of the validator over HTTP, with its files on the disk. */
function formTarget(): Target {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-fuzz-'));
  const limits = { documentSize: 10_000, documents: 10, spoolFolder: folder };
  const part = (name: string, value: string, file = ''): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  const head = 'multipart/form-data; boundary=b';
  return {
    samples: () =>
      Promise.resolve([
        Buffer.from(`${head}\n${part('type', 'CAdES')}${part('signature', 'MAA=')}--b--\r\n`),
        Buffer.from(
          `${head}\n${part('signature', '0\x80\0\0', '; filename="a.p7s"')}${part('document', 'text', '; filename="a"')}${part('type', 'cms')}--b--\r\n`,
        ),
      ]),
    async read(input) {
      const [end, text] = [input.indexOf(0x0a), input.toString('latin1')];
      const headers = { 'content-type': text.slice(0, Math.max(end, 0)) };
      const body = Readable.from([input.subarray(end + 1)], { objectMode: false });
      const request = Object.assign(body, { headers, complete: true }) as unknown as IncomingMessage;
      await refusing(() => withValidatorForm(request, limits, 'program', () => Promise.resolve()));
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const noise = (x: number, y: number): number => (x * 31 + y * 57 + x * y) % 4;

/** A time-stamp request in each text form, in place of any DER. */
function textForms(): readonly Buffer[] {
  const der = writeTimestampRequest({
    digest: 'sha256',
    imprint: Buffer.alloc(32),
    policy: undefined,
    nonce: Buffer.alloc(8, 7),
  });
  const base64 = der.toString('base64');
  const texts = [
    `-----BEGIN CMS-----\n${base64}\n-----END CMS-----\n`,
    `\ufeff${base64}`,
    Buffer.from(base64).toString('base64'),
    `data:application/pkcs7-mime;base64,${base64}`,
    '%PDF-1.7\n1 0 obj <<>> endobj',
  ];
  return [der, ...texts.map((text) => Buffer.from(text))];
}

export const fileTargets: Readonly<Record<string, () => Target>> = {
  'evidence-record': evidenceRecordTarget,
  'validate-evidence-record': () => validationTarget(records),
  'validate-signature-with-record': () => validationTarget(signatureWithRecord),
  'validate-time-stamp-file': () => validationTarget(timestampFiles),
  'validate-certificates-only': () => validationTarget(certificatesOnly),
  'validate-base64': () => validationTarget(wrapped),
  'file-kind': () => ({
    samples: () => Promise.resolve(textForms()),
    read: (input) => [detectFileKind(input), unwrapText(input)],
  }),
  mime: () => ({ samples: mimeMessages, read: (input) => readMimeSignature(input) }),
  'foreign-formats': detectTarget,
  'list-scope': listScopeTarget,
  'algorithm-parameters': () => ({ samples: () => Promise.resolve(algorithms()), read: readAlgorithms }),
  gif: () => ({
    samples: () =>
      Promise.resolve([
        makeGif({ width: 20, height: 20, depth: 2, pixel: noise }),
        makeGif({ width: 9, height: 13, depth: 2, pixel: noise, interlaced: true, localTable: true }),
      ]),
    read: (input) => readGif(input),
  }),
  png: () => ({
    samples: () =>
      Promise.resolve([
        makePng({ width: 9, height: 7, depth: 8, colourType: 6, pixel: (x, y) => [noise(x, y), x, y, 200] }),
        makePng({ width: 9, height: 7, depth: 2, colourType: 0, pixel: (x, y) => [noise(x, y)], interlaced: true }),
      ]),
    read: (input) => readPng(input),
  }),
  zip: () => ({
    samples: () =>
      Promise.resolve([
        writeZip([
          { name: 'a/', content: Buffer.alloc(0), stored: true },
          { name: 'a/one.cer', content: Buffer.from('0'.repeat(500)) },
          { name: 'two.pem', content: CONTENT, stored: true },
        ]),
      ]),
    read: (input) => readZip(input),
  }),
  'validator-form': formTarget,
};
