/** Reports in which each finding stands that does not decide a verdict in the other matrix, or does so in other ways. */
import { generateKeyPairSync, hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DEFAULT_ALGORITHM_POLICY,
  Oid,
  derContext,
  derElement,
  derOid,
  derSequence,
  derSetOf,
  readDer,
  validatePdf,
  validateSignature,
  type Hierarchy,
  type ValidationCheckCode,
  type ValidationReport,
  type ValidationServices,
} from '../../../src/signing/index.ts';
import { CadesOid } from '../../../src/signing/cms/cades-oids.ts';
import { withPdfFacts } from '../../../src/signing/pdf/differences/with-pdf-facts.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { privateKeyOf } from '../../../src/test-authority/test-authority.ts';
import { writeSigned } from '../../../src/test-authority/write-certificate.ts';
import { appendRevision, buildPdf, onePage } from '../pdf/build-pdf.ts';
import { attributeOf, craftCms } from './craft-cms.ts';
import { craftPdf } from './craft-pdf.ts';
import { SIGNED_AT, date } from './validation-world.ts';
import { AD_RB, CONTENT, contentStamp, plain, signatureStamp, withPolicy, type Scene } from './verdict-rows.ts';

export interface FindingRow {
  readonly state: string;
  readonly codes: readonly ValidationCheckCode[];
  readonly make: (scene: Scene) => Promise<ValidationReport>;
}

/** PAdES AD-RB 1.1. */
const PADES_AD_RB = {
  oid: '2.16.76.1.7.1.11.1.1',
  hash: '44fc5816eb2d705d8c8f022a7f93b3fb49edfae1a7b9149ef6fab833e9bb63f8',
};

/** PAdES AD-RC 1.0, withdrawn in 2016. */
const PADES_AD_RC = {
  oid: '2.16.76.1.7.1.13.1',
  hash: 'b3d8a9ef6b475a8cd62f07b3edb8b0bd974dd15a165eeb197bd987d7591e0fee',
};

/** The report over a PDF. */
export async function validatePdfBytes(
  pdf: Buffer,
  { world }: Pick<Scene, 'world'>,
  services: ValidationServices = world.services(),
): Promise<ValidationReport> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-finding-'));
  try {
    const path = join(folder, 'signed.pdf');
    await writeFile(path, pdf);
    return await validatePdf({ path }, services, {}, withPdfFacts);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A PDF signed as it should be. */
const goodPdf = ({ person }: Scene): Promise<Buffer> =>
  craftPdf('ETSI.CAdES.detached', (content) => craftCms(person, { content, attached: false }));

/** The PDF with other bytes than zeros in the last third of the space behind its signature, as after encryption. */
function withRandomPadding(pdf: Buffer): Buffer {
  const zeros = /0{64,}>/.exec(pdf.toString('latin1'));
  if (zeros === null) throw new Error('There is no space behind the signature.');
  const copy = Buffer.from(pdf);
  const length = Math.floor(zeros[0].length / 3);
  copy.write('7a'.repeat(length).slice(0, length), zeros.index + zeros[0].length - 1 - length, 'latin1');
  return copy;
}

/** The person with another key, in a certificate that the authority signed; by default the key is only named. */
export function withKey({ world, person }: Scene, publicKeyInfo: Buffer, privateKey = person.privateKey): TestIdentity {
  const body = readDer(person.certificate).child(0, 'the signed part');
  const fields = body.children.map(({ bytes }, index) => (index === 6 ? publicKeyInfo : bytes));
  const certificate = writeSigned(privateKeyOf(world.authority.issuing), () => derSequence(...fields));
  return { ...person, privateKey, certificate };
}

/** With an RSA key of this length. */
export function withRsaKey(scene: Scene, modulusLength: number): TestIdentity {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
  return withKey(
    scene,
    publicKey.export({ format: 'der', type: 'spki' }),
    privateKey.export({ format: 'der', type: 'pkcs8' }),
  );
}

/** The services of the world, where every path ends in this hierarchy. */
export function inHierarchy({ world }: Pick<Scene, 'world'>, hierarchy: Hierarchy): ValidationServices {
  const services = world.services();
  return { ...services, trust: { ...services.trust, hierarchyOfPath: () => hierarchy } };
}

function replaceLast(bytes: Buffer, from: Buffer, to: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  to.copy(copy, copy.lastIndexOf(from));
  return copy;
}

/** The message without its last certificate. */
function withoutLastCertificate(cms: Buffer): Buffer {
  const fields = readDer(cms).child(1, 'the body').child(0, 'SignedData').children;
  const kept = fields.map((field) =>
    field.tag === 0xa0 ? derElement(0xa0, ...field.children.slice(0, -1).map(({ bytes }) => bytes)) : field.bytes,
  );
  return derSequence(derOid(Oid.signedData), derContext(0, derSequence(...kept)));
}

const claiming =
  (signingTime: Date) =>
  ({ world, person }: Scene): Promise<ValidationReport> =>
    world.validate(craftCms(person, { signingTime }));

const hierarchyRow = (hierarchy: Hierarchy, code: ValidationCheckCode): FindingRow => ({
  state: `the anchor belongs to ${hierarchy}`,
  codes: [code],
  make: async (scene) => validateSignature({ signature: await plain(scene) }, inHierarchy(scene, hierarchy)),
});

const CMS_ROWS: readonly FindingRow[] = [
  {
    state: 'nothing is wrong',
    codes: [
      'STRUCTURE_SOUND',
      'INTEGRITY_INTACT',
      'SIGNER_CERTIFICATE_FOUND',
      'SIGNING_CERTIFICATE_ATTRIBUTE_RIGHT',
      'CHAIN_TRUSTED',
      'CERTIFICATE_PURPOSE_RIGHT',
      'HIERARCHY_TEST',
      'CERTIFICATE_IN_VALIDITY',
      'NOT_REVOKED',
      'ALGORITHMS_STRONG',
      'SIGNING_TIME_CLAIMED',
    ],
    make: async (scene) => scene.world.validate(await plain(scene)),
  },
  {
    state: 'it claims no time',
    codes: ['SIGNING_TIME_MISSING'],
    make: async ({ world, person }) => world.validate(craftCms(person, { withoutTime: true })),
  },
  {
    state: 'there is a time stamp',
    codes: ['TIMESTAMP_VALID', 'SIGNING_TIME_PROVEN'],
    make: async ({ world, person }) => world.validate(await world.cms(person, 'B-T').signContent(CONTENT, SIGNED_AT)),
  },
  {
    state: 'it is inside PEM',
    codes: ['PEM_UNWRAPPED'],
    make: async (scene) => {
      const lines = (await plain(scene)).toString('base64').replace(/.{1,64}/g, '$&\n');
      return scene.world.validate(Buffer.from(`-----BEGIN CMS-----\n${lines}-----END CMS-----\n`));
    },
  },
  {
    state: 'it is inside S/MIME',
    codes: ['MIME_UNWRAPPED'],
    make: async (scene) => {
      const head = 'Content-Type: application/pkcs7-mime; smime-type=signed-data\r\nContent-Transfer-Encoding: base64';
      return scene.world.validate(Buffer.from(`${head}\r\n\r\n${(await plain(scene)).toString('base64')}\r\n`));
    },
  },
  {
    state: 'a length is longer than DER has it',
    codes: ['ENCODING_NOT_DER'],
    make: async (scene) => {
      const signature = await plain(scene);
      return scene.world.validate(Buffer.concat([Buffer.of(0x30, 0x83, 0x00), signature.subarray(2)]));
    },
  },
  {
    state: 'the attributes are stored unsorted',
    codes: ['SIGNED_ATTRIBUTES_UNSORTED'],
    make: ({ world, person }) => world.validate(craftCms(person, { reversed: true })),
  },
  {
    state: 'the attributes have no digest of the content',
    codes: ['STRUCTURE_DAMAGED'],
    make: ({ world, person }) =>
      world.validate(craftCms(person, { attributes: [attributeOf(Oid.contentType, derOid(Oid.data))] })),
  },
  {
    state: 'only a digest of the content is known, and no attributes were signed',
    codes: ['INTEGRITY_UNKNOWN'],
    make: ({ world, person }) => {
      const signature = craftCms(person, { withoutAttributes: true, attached: false });
      const digestOf = (): Promise<Buffer> => Promise.resolve(hash('sha256', CONTENT, 'buffer'));
      return validateSignature({ signature, content: { digestOf } }, world.services());
    },
  },
  {
    state: 'the certificate is not named by the signature',
    codes: ['SIGNING_CERTIFICATE_ATTRIBUTE_MISSING'],
    make: ({ world, person }) => world.validate(craftCms(person, { withoutName: true })),
  },
  {
    state: 'there are too many paths',
    codes: ['CHAIN_TOO_COMPLEX'],
    make: async (scene) => {
      const services = scene.world.services();
      const problem = { code: 'LIMIT_EXCEEDED', index: 0, sentence: 'There are too many possible paths.' } as const;
      const completePath: ValidationServices['completePath'] = async (...request) => ({
        ...(await services.completePath(...request)),
        outcome: 'invalid',
        problems: [problem],
      });
      return validateSignature({ signature: await plain(scene) }, { ...services, completePath });
    },
  },
  hierarchyRow('ICP-Brasil', 'HIERARCHY_ICP_BRASIL'),
  hierarchyRow('gov.br', 'HIERARCHY_GOV_BR'),
  hierarchyRow('other', 'HIERARCHY_OTHER'),
  {
    state: 'the certificate expired after a time stamp with everything around it',
    codes: ['CERTIFICATE_WAS_VALID'],
    make: async ({ world, person }) => {
      const signature = await world.cms(person, 'B-LT').signContent(CONTENT, SIGNED_AT);
      world.now = date('2027-06-01');
      return world.validate(signature);
    },
  },
  {
    state: 'the certificate was revoked after the time stamp',
    codes: ['REVOKED_AFTER_SIGNING'],
    make: async ({ world, person }) => {
      const signature = await world.cms(person, 'B-T').signContent(CONTENT, SIGNED_AT);
      world.now = date('2026-04-01');
      world.revoke(person, date('2026-03-15'));
      return world.validate(signature);
    },
  },
  {
    state: 'the claimed time is before the certificate',
    codes: ['CLAIMED_TIME_OUT_OF_VALIDITY'],
    make: claiming(date('2025-06-01')),
  },
  { state: 'the claimed time has not come', codes: ['CLAIMED_TIME_IN_FUTURE'], make: claiming(date('2026-12-01')) },
  {
    state: 'the claimed time is after the time stamp',
    codes: ['CLAIMED_TIME_AFTER_TIMESTAMP'],
    make: async (scene) => {
      const signature = await scene.world.cms(scene.person, 'B-T').signContent(CONTENT, date('2026-03-05'));
      scene.world.now = date('2026-03-10');
      return scene.world.validate(signature);
    },
  },
  {
    state: 'the key became weak after the time stamp',
    codes: ['ALGORITHM_WAS_STRONG'],
    make: async (scene) => {
      const { world } = scene;
      const signer = await world.person({ keyKind: 'rsa-2048' });
      const signature = await world.cms(signer, 'B-LT').signContent(CONTENT, SIGNED_AT);
      world.now = date('2026-07-01');
      const rsa = [{ bits: 1024, until: '2026-06-01' }];
      return world.validate(signature, { algorithms: { ...DEFAULT_ALGORITHM_POLICY, rsa } });
    },
  },
  {
    state: 'the key is of 1024 bits',
    codes: ['KEY_TOO_SHORT'],
    make: async (scene) => scene.world.validate(craftCms(withRsaKey(scene, 1024))),
  },
  {
    state: 'the key is one of Edwards’ curves',
    codes: ['ALGORITHM_NOT_LISTED'],
    make: async ({ world }) => {
      const signer = world.cms(await world.person({ keyKind: 'ed448' }));
      return world.validate(await signer.signContent(CONTENT, SIGNED_AT));
    },
  },
  {
    state: 'the signature algorithm is not known',
    codes: ['ALGORITHM_UNKNOWN'],
    make: ({ world, person }) => {
      const known = derOid(Oid.ecdsaWithSha256);
      const unknown = Buffer.from(known);
      unknown[unknown.length - 1] = 0x09;
      return world.validate(replaceLast(craftCms(person), known, unknown));
    },
  },
  {
    state: 'the key is of a kind that nobody reads',
    codes: ['KEY_UNREADABLE'],
    make: async (scene) => {
      const info = readDer(scene.person.certificate).child(0, 'the signed part').child(6, 'the key').bytes;
      const ecKey = derOid('1.2.840.10045.2.1');
      const other = Buffer.from(ecKey);
      other[other.length - 1] = 0x63;
      return scene.world.validate(craftCms(withKey(scene, replaceLast(info, ecKey, other))));
    },
  },
  {
    state: 'the policy is kept',
    codes: ['POLICY_RECOGNISED', 'POLICY_RULES_KEPT'],
    make: async ({ world }) => withPolicy(AD_RB)({ world, person: await world.person({ keyKind: 'rsa-2048' }) }),
  },
  {
    state: 'the policy is not known, and the caller accepts that',
    codes: ['POLICY_NOT_CHECKED'],
    make: async ({ world, person }) => {
      const policy = { oid: '1.2.3.4', hash: '00'.repeat(32) };
      const signature = await world.cms(person, undefined, { policy }).signContent(CONTENT, SIGNED_AT);
      return world.validate(signature, { unknownPolicy: 'accept' });
    },
  },
  {
    state: 'the root is none of the policy’s',
    codes: ['POLICY_ROOT_NOT_ALLOWED'],
    make: async ({ world }) => {
      const signer = world.cms(await world.person({ keyKind: 'rsa-2048' }), undefined, { policy: AD_RB });
      const signature = await signer.signContent(CONTENT, SIGNED_AT);
      return validateSignature({ signature }, inHierarchy({ world }, 'other'));
    },
  },
  {
    state: 'a time stamp is no token',
    codes: ['TIMESTAMP_DAMAGED', 'TIMESTAMP_NOT_USED'],
    make: ({ world, person }) =>
      world.validate(
        craftCms(person, { unsigned: () => [attributeOf(CadesOid.signatureTimeStamp, derSequence(derSetOf()))] }),
      ),
  },
  {
    state: 'a time stamp is for something else',
    codes: ['TIMESTAMP_IMPRINT_WRONG', 'TIMESTAMP_NOT_USED'],
    make: async ({ world, person }) => {
      const stamp = await signatureStamp(world, SIGNED_AT, Buffer.from('something else'));
      return world.validate(craftCms(person, { unsigned: () => [stamp] }));
    },
  },
  {
    state: 'the content of a content time stamp was not given',
    codes: ['TIMESTAMP_IMPRINT_UNKNOWN'],
    make: async ({ world, person }) =>
      world.validate(craftCms(person, { attached: false, more: [await contentStamp(world, SIGNED_AT)] })),
  },
  {
    state: 'a certificate that an archive time stamp covers is gone',
    codes: ['TIMESTAMP_INDEX_WRONG'],
    make: async ({ world, person }) => {
      const signature = await world.cms(person, 'B-LTA').signContent(CONTENT, SIGNED_AT);
      return world.validate(withoutLastCertificate(signature));
    },
  },
];

const PDF_ROWS: readonly FindingRow[] = [
  {
    state: 'a PDF is signed',
    codes: ['PDF_WHOLE_FILE_COVERED'],
    make: async (scene) => validatePdfBytes(await goodPdf(scene), scene),
  },
  {
    state: 'a PDF has a later revision that changes nothing',
    codes: ['PDF_CHANGES_ALLOWED'],
    make: async (scene) => validatePdfBytes(appendRevision(await goodPdf(scene), { 70: '(nobody)' }), scene),
  },
  {
    state: 'the page of a PDF was changed',
    codes: ['PDF_CHANGES_NOT_ALLOWED'],
    make: async (scene) =>
      validatePdfBytes(appendRevision(await goodPdf(scene), { 2: '<</Type /Pages /Kids [] /Count 0>>' }), scene),
  },
  {
    state: 'something hides in the padding of a PDF’s signature',
    codes: ['PDF_STRUCTURE_UNSOUND'],
    make: async (scene) => {
      const pdf = await goodPdf(scene);
      pdf[pdf.lastIndexOf('0000>') + 1] = 0x21;
      return validatePdfBytes(pdf, scene);
    },
  },
  {
    state: 'something follows a PDF',
    codes: ['PDF_FILE_UNSOUND', 'PDF_CHANGES_NOT_ALLOWED'],
    make: async (scene) => validatePdfBytes(Buffer.concat([await goodPdf(scene), Buffer.from('PK\x03\x04')]), scene),
  },
  {
    state: 'a signed PDF lost its end',
    codes: ['PDF_INCOMPLETE', 'PDF_STRUCTURE_UNSOUND'],
    make: async (scene) => validatePdfBytes((await goodPdf(scene)).subarray(0, -200), scene),
  },
  {
    state: 'a later version of a PDF shows its signature no more',
    codes: ['PDF_SIGNATURE_REMOVED', 'PDF_NO_SIGNATURE'],
    make: async (scene) =>
      validatePdfBytes(appendRevision(await goodPdf(scene), { 1: '<</Type /Catalog /Pages 2 0 R>>' }), scene),
  },
  {
    state: 'the last version of a PDF does not lead to the versions before',
    codes: ['PDF_STRUCTURE_UNSOUND'],
    make: async (scene) => {
      const pdf = appendRevision(await goodPdf(scene), onePage());
      return validatePdfBytes(
        Buffer.from(pdf.toString('latin1').replace(/\/Prev \d+(?![\s\S]*\/Prev)/, '/Prev 0'), 'latin1'),
        scene,
      );
    },
  },
  {
    state: 'random bytes fill the space behind the signature in a PDF',
    codes: ['PDF_PADDING_UNUSUAL', 'INTEGRITY_INTACT', 'PDF_WHOLE_FILE_COVERED'],
    make: async (scene) => validatePdfBytes(withRandomPadding(await goodPdf(scene)), scene),
  },
  {
    state: 'a second value follows the signature in a PDF',
    codes: ['PDF_VALUE_BEHIND_SIGNATURE', 'INTEGRITY_INTACT', 'PDF_WHOLE_FILE_COVERED'],
    make: async (scene) => {
      const twice = (content: Buffer): Buffer => {
        const cms = craftCms(scene.person, { content, attached: false });
        return Buffer.concat([cms, Buffer.alloc(9), cms]);
      };
      return validatePdfBytes(await craftPdf('ETSI.CAdES.detached', twice), scene);
    },
  },
  {
    state: 'a PDF is Reader-extended and has no signature',
    codes: ['PDF_USAGE_RIGHTS', 'PDF_NO_SIGNATURE'],
    make: (scene) => {
      const catalog = '<</Type /Catalog /Pages 2 0 R /Perms <</UR3 60 0 R>>>>';
      return validatePdfBytes(buildPdf(onePage({ 1: catalog, 60: '<</Type /Sig /Filter /Adobe.PPKLite>>' })), scene);
    },
  },
  {
    state: 'a page of a PDF shows a signature field that the form does not list',
    codes: ['PDF_FIELD_NOT_LISTED', 'PDF_NO_SIGNATURE'],
    make: (scene) => {
      const widget = '<</Type /Annot /Subtype /Widget /FT /Sig /T (x) /Rect [9 9 99 99] /P 3 0 R /V 61 0 R>>';
      const value = '<</Type /Sig /SubFilter /adbe.pkcs7.detached /ByteRange [0 10 20 30] /Contents <3000>>>';
      const page = '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [60 0 R]>>';
      return validatePdfBytes(buildPdf(onePage({ 3: page, 60: widget, 61: value })), scene);
    },
  },
  {
    state: 'a PDF has no signature',
    codes: ['PDF_NO_SIGNATURE'],
    make: (scene) => validatePdfBytes(buildPdf(onePage()), scene),
  },
  {
    state: 'a signature of a PDF is of a kind that is not checked',
    codes: ['PDF_KIND_UNKNOWN'],
    make: async (scene) => validatePdfBytes(await craftPdf('adbe.x509.rsa_sha1', () => craftCms(scene.person)), scene),
  },
  {
    state: 'a PAdES signature does not name its certificate',
    codes: ['SIGNING_CERTIFICATE_ATTRIBUTE_REQUIRED'],
    make: async (scene) => {
      const odd = { attached: false, withoutName: true };
      const sign = (content: Buffer): Buffer => craftCms(scene.person, { ...odd, content });
      return validatePdfBytes(await craftPdf('ETSI.CAdES.detached', sign), scene);
    },
  },
  {
    state: 'a PDF signs what its policy does not accept',
    codes: ['POLICY_ATTRIBUTE_FORBIDDEN'],
    make: async (scene) => {
      const signer = scene.world.cms(await scene.world.person({ keyKind: 'rsa-2048' }), undefined, {
        policy: PADES_AD_RB,
      });
      const sign = (content: Buffer): Promise<Buffer> =>
        signer.signDigest(hash('sha256', content, 'buffer'), SIGNED_AT);
      return validatePdfBytes(await craftPdf('PBAD.PAdES', sign), scene);
    },
  },
  {
    state: 'the policy was withdrawn',
    codes: ['POLICY_WITHDRAWN'],
    make: async (scene) => {
      const sign = ({ world, person }: Scene, content: Buffer): Promise<Buffer> =>
        world
          .cms(person, undefined, { policy: PADES_AD_RC, omitSigningTime: true })
          .signDigest(hash('sha256', content, 'buffer'), SIGNED_AT);
      return validatePdfBytes(await craftPdf('PBAD.PAdES', (content) => sign(scene, content)), scene);
    },
  },
];

export const FINDING_ROWS: readonly FindingRow[] = [...CMS_ROWS, ...PDF_ROWS];
