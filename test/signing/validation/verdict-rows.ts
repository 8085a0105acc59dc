/** Signatures for each sub-indication, and the code of the deciding finding. */
import { hash, sign } from 'node:crypto';
import {
  DEFAULT_ALGORITHM_POLICY,
  Oid,
  createTrustAnchors,
  derBitString,
  derNull,
  derOctetString,
  derOid,
  derSequence,
  derSetOf,
  parseCertificate,
  readDer,
  validateSignature,
  writeOcspRequest,
  type SignaturePolicy,
  type SubIndication,
  type ValidationCheckCode,
  type ValidationReport,
} from '../../../src/signing/index.ts';
import { CadesOid } from '../../../src/signing/cms/cades-oids.ts';
import { createRevocationChecker } from '../../../src/signing/revocation/revocation-checker.ts';
import { CLOCK_SKEW } from '../../../src/signing/revocation/revocation-result.ts';
import { KeyUsageBit, keyUsage } from '../../../src/test-authority/extensions.ts';
import {
  answerOcspRequest,
  issueTestPerson,
  type TestIdentity,
  type TestIssueOptions,
} from '../../../src/test-authority/index.ts';
import { writeSigned } from '../../../src/test-authority/write-certificate.ts';
import { privateKeyOf } from '../../../src/test-authority/test-authority.ts';
import { identityWithExtensions } from '../../pki/icp-brasil-pki.ts';
import { attributeOf, craftCms, signingCertificateAttribute } from './craft-cms.ts';
import { CRL_URL, LIST_LIFETIME, SIGNED_AT, ValidationWorld, date } from './validation-world.ts';

export const CONTENT = Buffer.from('content');

/** Everything needed by a row; each row has a world of its own, because clocks and lists are set. */
export interface Scene {
  readonly world: ValidationWorld;
  readonly person: TestIdentity;
}

export interface VerdictRow {
  readonly state: string;
  readonly sub: SubIndication;
  readonly code: ValidationCheckCode;
  readonly make: (scene: Scene) => Promise<ValidationReport>;
}

export const AD_RB: SignaturePolicy = {
  oid: '2.16.76.1.7.1.1.2.3',
  hash: 'b16e88bbf77322a67995b79078778ed3d0ea7c88587b6f6d518b715e8f76a3d5',
};

export const plain = ({ world, person }: Scene): Promise<Buffer> => world.cms(person).signContent(CONTENT, SIGNED_AT);

export async function contentStamp(world: ValidationWorld, at: Date): Promise<Buffer> {
  const before = world.now;
  world.now = at;
  const { der } = await world.timestamper.stamp(hash('sha256', CONTENT, 'buffer'));
  world.now = before;
  return attributeOf(CadesOid.contentTimeStamp, der);
}

export async function signatureStamp(world: ValidationWorld, at: Date, signature: Buffer): Promise<Buffer> {
  world.now = at;
  const { der } = await world.timestamper.stamp(hash('sha256', signature, 'buffer'));
  return attributeOf(CadesOid.signatureTimeStamp, der);
}

/** A crafted signature with a signature time stamp of this time. */
export async function stamped({ world, person }: Scene, at: Date, more: readonly Uint8Array[] = []): Promise<Buffer> {
  let signature: Buffer = Buffer.alloc(0);
  craftCms(person, { more, unsigned: (made) => ((signature = made), []) });
  const attribute = await signatureStamp(world, at, signature);
  return craftCms(person, { more, signature, unsigned: () => [attribute] });
}

/** A person below an authority; the root signed the authority's certificate with ECDSA and SHA-1. */
export async function belowSha1(world: ValidationWorld, options: TestIssueOptions = {}): Promise<TestIdentity> {
  const { root, issuing } = world.authority;
  const algorithm = derSequence(derOid('1.2.840.10045.4.1'));
  const fields = readDer(issuing.certificate).child(0, 'the signed part').children;
  const body = derSequence(...fields.map(({ bytes }, index) => (index === 2 ? algorithm : bytes)));
  const weak = derSequence(body, algorithm, derBitString(sign('sha1', body, privateKeyOf(root))));
  return { ...(await world.person(options)), chain: [weak, root.certificate] };
}

/** Without a network, with embedded lists ended `late` milliseconds ago. */
export function validateAfterList({ world, person }: Scene, late: number): Promise<ValidationReport> {
  const signature = craftCms(person, { revocations: [world.crl('issuing'), world.crl('root')] });
  world.now = new Date(world.now.getTime() + LIST_LIFETIME + late);
  return world.validate(signature, { offline: true });
}

export const withPolicy =
  (policy: SignaturePolicy) =>
  async (scene: Scene): Promise<ValidationReport> =>
    scene.world.validate(await scene.world.cms(scene.person, undefined, { policy }).signContent(CONTENT, SIGNED_AT));

export const VERDICT_ROWS: readonly VerdictRow[] = [
  {
    state: 'an attribute stands twice',
    sub: 'FORMAT_FAILURE',
    code: 'SIGNED_ATTRIBUTE_REPEATED',
    make: ({ world, person }) => {
      const digest = attributeOf(Oid.messageDigest, derOctetString(hash('sha256', CONTENT, 'buffer')));
      return world.validate(craftCms(person, { more: [digest] }));
    },
  },
  {
    state: 'the attributes name another type of content',
    sub: 'FORMAT_FAILURE',
    code: 'CONTENT_TYPE_WRONG',
    make: ({ world, person }) =>
      world.validate(
        craftCms(person, {
          attributes: [
            attributeOf(Oid.contentType, derOid(Oid.signedData)),
            attributeOf(Oid.messageDigest, derOctetString(hash('sha256', CONTENT, 'buffer'))),
          ],
        }),
      ),
  },
  {
    state: 'the content is another one',
    sub: 'HASH_FAILURE',
    code: 'CONTENT_CHANGED',
    make: async ({ world, person }) =>
      world.validate(craftCms(person, { attached: false }), { content: Buffer.from('other') }),
  },
  {
    state: 'the content given is not what is enclosed',
    sub: 'HASH_FAILURE',
    code: 'CONTENT_DIFFERS_FROM_ENCLOSED',
    make: async ({ world, person }) => world.validate(craftCms(person), { content: Buffer.from('other') }),
  },
  {
    state: 'the signature value was changed',
    sub: 'SIG_CRYPTO_FAILURE',
    code: 'SIGNATURE_VALUE_WRONG',
    make: async (scene) => {
      const signature = await plain(scene);
      signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
      return scene.world.validate(signature);
    },
  },
  {
    state: 'signed attributes are passed off as content',
    sub: 'SIG_CRYPTO_FAILURE',
    code: 'SIGNED_ATTRIBUTES_REPLAYED',
    make: ({ world, person }) => {
      const content = derSetOf(
        attributeOf(Oid.contentType, derOid(Oid.data)),
        attributeOf(Oid.messageDigest, derOctetString(hash('sha256', CONTENT, 'buffer'))),
      );
      return world.validate(craftCms(person, { content, withoutAttributes: true }));
    },
  },
  {
    state: 'a content time stamp is later than the revocation',
    sub: 'REVOKED',
    code: 'SIGNED_AFTER_REVOCATION',
    make: async ({ world, person }) => {
      world.revoke(person, date('2026-02-20'));
      return world.validate(craftCms(person, { more: [await contentStamp(world, date('2026-02-25'))] }));
    },
  },
  {
    state: 'a content time stamp is later than the end of the certificate',
    sub: 'EXPIRED',
    code: 'SIGNED_AFTER_EXPIRY',
    make: async ({ world, person }) => {
      world.now = date('2027-06-01');
      return world.validate(craftCms(person, { more: [await contentStamp(world, date('2027-05-01'))] }));
    },
  },
  {
    state: 'the certificate is not valid yet',
    sub: 'NOT_YET_VALID',
    code: 'CERTIFICATE_NOT_YET_VALID',
    make: async (scene) => scene.world.validate(await plain(scene), { at: date('2026-01-15') }),
  },
  {
    state: 'the time stamp is older than the certificate',
    sub: 'NOT_YET_VALID',
    code: 'CERTIFICATE_NOT_YET_VALID',
    make: async (scene) => {
      const signature = await stamped(scene, date('2026-01-15'));
      scene.world.now = SIGNED_AT;
      return scene.world.validate(signature);
    },
  },
  {
    state: 'a policy demands an attribute that is missing',
    sub: 'SIG_CONSTRAINTS_FAILURE',
    code: 'POLICY_ATTRIBUTE_MISSING',
    make: withPolicy({
      oid: '2.16.76.1.7.1.2.2.2',
      hash: '2fc28c6155a0574558d92c674d47158cdadb1144eaaeafda1cd76dba967a6774',
    }),
  },
  {
    state: 'the policy is over',
    sub: 'SIG_CONSTRAINTS_FAILURE',
    code: 'POLICY_PERIOD_WRONG',
    make: async (scene) => {
      const { world } = scene;
      const person = await world.person({ notAfter: date('2031-01-01') });
      world.now = date('2030-01-01');
      return world.validate(await world.cms(person, undefined, { policy: AD_RB }).signContent(CONTENT, world.now));
    },
  },
  {
    state: 'the policy is for PDFs',
    sub: 'SIG_CONSTRAINTS_FAILURE',
    code: 'POLICY_FORMAT_WRONG',
    make: withPolicy({
      oid: '2.16.76.1.7.1.11.1.1',
      hash: '44fc5816eb2d705d8c8f022a7f93b3fb49edfae1a7b9149ef6fab833e9bb63f8',
    }),
  },
  {
    state: 'the policy does not allow the algorithm',
    sub: 'SIG_CONSTRAINTS_FAILURE',
    code: 'POLICY_ALGORITHM_NOT_ALLOWED',
    make: withPolicy(AD_RB),
  },
  {
    state: 'the certificate is not for signatures',
    sub: 'CHAIN_CONSTRAINTS_FAILURE',
    code: 'CERTIFICATE_PURPOSE_WRONG',
    make: async ({ world }) => {
      const dates = { notBefore: date('2026-02-01'), notAfter: date('2027-02-01') };
      const wrong = await identityWithExtensions(world.authority, [keyUsage([KeyUsageBit.crlSign])], dates);
      return world.validate(craftCms(wrong));
    },
  },
  {
    state: 'the certificate was signed with a key that nobody knows',
    sub: 'CERTIFICATE_CHAIN_GENERAL_FAILURE',
    code: 'CHAIN_RULE_BROKEN',
    make: async ({ world, person }) => {
      const impostor = await ValidationWorld.open();
      const body = readDer(person.certificate).child(0, 'the signed part').bytes;
      const certificate = writeSigned(privateKeyOf(impostor.authority.issuing), () => body);
      return world.validate(craftCms({ ...person, certificate }));
    },
  },
  {
    state: 'the issuing authority has expired',
    sub: 'CERTIFICATE_CHAIN_GENERAL_FAILURE',
    code: 'AUTHORITY_OUT_OF_VALIDITY',
    make: async ({ world }) => {
      const person = await world.person({ notAfter: date('2036-01-01') });
      world.now = date('2034-01-01');
      return world.validate(craftCms(person));
    },
  },
  {
    state: 'the certificate does not say where its revocation data is',
    sub: 'CERTIFICATE_CHAIN_GENERAL_FAILURE',
    code: 'REVOCATION_SOURCE_MISSING',
    make: async ({ world }) => {
      const bare = { ...world.authority, urls: {} };
      const about = { name: 'MARIA DE TESTE', cpf: '52998224725', keyKind: 'ec-p256' } as const;
      const dates = { notBefore: date('2026-02-01'), notAfter: date('2027-02-01') };
      return world.validate(craftCms(await issueTestPerson(bare, { ...about, ...dates })));
    },
  },
  {
    state: 'the certificate names its revocation data only by LDAP',
    sub: 'CERTIFICATE_CHAIN_GENERAL_FAILURE',
    code: 'REVOCATION_SOURCE_NOT_ASKED',
    make: async ({ world }) => {
      const elsewhere = { ...world.authority, urls: { crl: ['ldap://lists.test/cn=CA?certificateRevocationList'] } };
      const about = { name: 'MARIA DE TESTE', cpf: '52998224725', keyKind: 'ec-p256' } as const;
      const dates = { notBefore: date('2026-02-01'), notAfter: date('2027-02-01') };
      return world.validate(craftCms(await issueTestPerson(elsewhere, { ...about, ...dates })));
    },
  },
  ...[
    ['an empty body', Buffer.alloc(0)],
    ['the page of a login', Buffer.from('<!doctype html><title>Entrar</title>')],
  ].map(([what, body]): VerdictRow => ({
    state: `the server of the revocation list answers with ${String(what)}`,
    sub: 'TRY_LATER',
    code: 'REVOCATION_ANSWER_WITHOUT_DATA',
    make: async ({ world, person }) => {
      world.http.answers = { ...world.http.answers, [CRL_URL]: Buffer.from(body ?? '') };
      return world.validate(craftCms(person));
    },
  })),
  {
    state: 'the hash function is SHA-1 and the certificate is younger than its end',
    sub: 'CRYPTO_CONSTRAINTS_FAILURE',
    code: 'HASH_WEAK',
    make: ({ world, person }) => world.validate(craftCms(person, { hash: 'sha1' })),
  },
  {
    state: 'the hash function is MD5',
    sub: 'CRYPTO_CONSTRAINTS_FAILURE',
    code: 'HASH_WEAK',
    make: async ({ world }) => {
      const person = await world.person({ keyKind: 'rsa-2048' });
      return world.validate(craftCms(person, { hash: 'md5' }));
    },
  },
  {
    state: 'the hash function is SHA-1 and the certificate is older than its end',
    sub: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
    code: 'HASH_WEAK',
    make: async ({ world }) => {
      const person = await world.person({ notBefore: date('2012-01-01') });
      return world.validate(craftCms(person, { hash: 'sha1' }));
    },
  },
  {
    state: 'the certificate of the issuing authority is signed with SHA-1',
    sub: 'CRYPTO_CONSTRAINTS_FAILURE',
    code: 'CERTIFICATE_HASH_WEAK',
    make: async ({ world }) => world.validate(craftCms(await belowSha1(world))),
  },
  {
    state: 'the certificate of the issuing authority is signed with SHA-1 and older than the end of SHA-1',
    sub: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
    code: 'CERTIFICATE_HASH_WEAK',
    make: async () => {
      const world = await ValidationWorld.open({ notBefore: date('2012-01-01') });
      world.now = date('2019-06-01');
      return world.validate(craftCms(await belowSha1(world, { notBefore: date('2019-01-01') })));
    },
  },
  {
    state: 'the key of the issuing authority is too short',
    sub: 'CRYPTO_CONSTRAINTS_FAILURE',
    code: 'CERTIFICATE_KEY_TOO_SHORT',
    make: async () => {
      const world = await ValidationWorld.open({ keyKind: 'rsa-2048' });
      const rsa = [{ bits: 3072, until: null }];
      return world.validate(craftCms(await world.person()), { algorithms: { ...DEFAULT_ALGORITHM_POLICY, rsa } });
    },
  },
  {
    state: 'the table of algorithms allows no certificate of this day with such a key',
    sub: 'CRYPTO_CONSTRAINTS_FAILURE',
    code: 'ALGORITHM_NOT_ALLOWED',
    make: async () => {
      const world = await ValidationWorld.open({ keyKind: 'rsa-2048' });
      const rsa = [{ bits: 2048, until: null, issuedUntil: '2001-01-01' }];
      return world.validate(craftCms(await world.person()), { algorithms: { ...DEFAULT_ALGORITHM_POLICY, rsa } });
    },
  },
  {
    state: 'the hash of the policy is wrong',
    sub: 'POLICY_PROCESSING_ERROR',
    code: 'POLICY_HASH_WRONG',
    make: withPolicy({ ...AD_RB, hash: '00'.repeat(32) }),
  },
  {
    state: 'the attribute of the policy is damaged',
    sub: 'POLICY_PROCESSING_ERROR',
    code: 'POLICY_DAMAGED',
    make: ({ world, person }) =>
      world.validate(
        craftCms(person, { more: [attributeOf(CadesOid.signaturePolicyIdentifier, derSequence(derNull()))] }),
      ),
  },
  {
    state: 'the policy is not known',
    sub: 'SIGNATURE_POLICY_NOT_AVAILABLE',
    code: 'POLICY_NOT_AVAILABLE',
    make: withPolicy({ oid: '1.2.3.4', hash: '00'.repeat(32) }),
  },
  {
    state: 'a content time stamp is later than the signature time stamp',
    sub: 'TIMESTAMP_ORDER_FAILURE',
    code: 'TIMESTAMP_ORDER_WRONG',
    make: async (scene) => {
      const { world } = scene;
      const more = [await contentStamp(world, date('2026-02-25'))];
      const signature = await stamped(scene, date('2026-02-20'), more);
      world.now = SIGNED_AT;
      return world.validate(signature);
    },
  },
  {
    state: "the signer's certificate is not to be had",
    sub: 'NO_SIGNING_CERTIFICATE_FOUND',
    code: 'SIGNER_CERTIFICATE_MISSING',
    make: ({ world, person }) => world.validate(craftCms(person, { certificates: [] })),
  },
  {
    state: 'the attributes name another certificate',
    sub: 'NO_SIGNING_CERTIFICATE_FOUND',
    code: 'SIGNER_CERTIFICATE_NOT_NAMED',
    make: async ({ world, person }) => {
      const other = await world.person();
      const { certificate, chain } = person;
      return world.validate(
        craftCms(
          { ...other, certificate, chain },
          {
            withoutName: true,
            more: [signingCertificateAttribute(other.certificate)],
          },
        ),
      );
    },
  },
  {
    state: 'the root is not trusted',
    sub: 'NO_CERTIFICATE_CHAIN_FOUND',
    code: 'CHAIN_INCOMPLETE',
    make: async ({ world }) => {
      const other = await ValidationWorld.open();
      const stranger = await identityWithExtensions(other.authority, []);
      return world.validate(craftCms({ ...stranger, chain: [] }));
    },
  },
  {
    state: 'the root is known and not trusted',
    sub: 'NO_CERTIFICATE_CHAIN_FOUND',
    code: 'ROOT_NOT_TRUSTED',
    make: async ({ person, world }) => {
      const services = { ...world.services(), trust: createTrustAnchors([]) };
      return validateSignature({ signature: craftCms(person) }, services);
    },
  },
  {
    state: 'the anchor has expired',
    sub: 'NO_CERTIFICATE_CHAIN_FOUND_NO_POE',
    code: 'ROOT_EXPIRED',
    make: async ({ world }) => {
      const person = await world.person({ notAfter: date('2036-01-01') });
      world.now = date('2034-01-01');
      const trust = createTrustAnchors([parseCertificate(world.authority.issuing.certificate)]);
      return validateSignature({ signature: craftCms(person) }, { ...world.services(), trust });
    },
  },
  {
    state: 'the certificate was revoked and nothing proves that the signature is older',
    sub: 'REVOKED_NO_POE',
    code: 'CERTIFICATE_REVOKED',
    make: ({ world, person }) => {
      world.revoke(person, date('2026-02-20'));
      return world.validate(craftCms(person));
    },
  },
  {
    state: 'the certificate is on hold',
    sub: 'TRY_LATER',
    code: 'CERTIFICATE_ON_HOLD',
    make: ({ world, person }) => {
      world.revoke(person, date('2026-02-20'), 'certificateHold');
      return world.validate(craftCms(person));
    },
  },
  {
    state: 'the issuing authority was revoked',
    sub: 'REVOKED_CA_NO_POE',
    code: 'AUTHORITY_REVOKED',
    make: ({ world, person }) => {
      const { serialNumber } = parseCertificate(world.authority.issuing.certificate);
      world.revokedAuthorities.push({ serialNumber, at: date('2026-02-20'), reason: 'caCompromise' });
      return world.validate(craftCms(person));
    },
  },
  {
    state: 'the certificate expired and an embedded list says that it was good',
    sub: 'OUT_OF_BOUNDS_NOT_REVOKED',
    code: 'CERTIFICATE_EXPIRED',
    make: async ({ world, person }) => {
      const signature = craftCms(person, { revocations: [world.crl('issuing'), world.crl('root')] });
      world.now = date('2027-06-01');
      return world.validate(signature);
    },
  },
  {
    state: 'the certificate expired',
    sub: 'OUT_OF_BOUNDS_NO_POE',
    code: 'CERTIFICATE_EXPIRED',
    make: async ({ world, person }) => {
      world.now = date('2027-06-01');
      return world.validate(craftCms(person));
    },
  },
  {
    state: 'the responder of embedded data has expired',
    sub: 'REVOCATION_OUT_OF_BOUNDS_NO_POE',
    code: 'REVOCATION_SIGNER_EXPIRED',
    make: async ({ world, person }) => {
      const issuer = parseCertificate(world.authority.issuing.certificate);
      const response = answerOcspRequest(
        writeOcspRequest({ certificate: parseCertificate(person.certificate), issuer }),
        {
          issuer: issuer.der,
          responder: world.responder,
          now: SIGNED_AT,
          nextUpdate: date('2026-12-01'),
          statusOf: () => ({ status: 'good' }),
        },
      );
      const choice = derSequence(derOid(CadesOid.ocspRevocationInfo), response);
      choice[0] = 0xa1;
      world.now = date('2026-10-01');
      return world.validate(craftCms(person, { revocations: [choice, world.crl('root')] }), { offline: true });
    },
  },
  {
    state: 'the issuing authority has expired, and nothing proves the revocation data older',
    sub: 'NO_POE',
    code: 'PROOF_OF_EXISTENCE_MISSING',
    make: async (scene) => {
      const { world } = scene;
      const person = await world.person({ notAfter: date('2035-01-01') });
      const other = await ValidationWorld.open({ notBefore: date('2026-01-01'), label: 'B' });
      world.tsa = await other.anotherTsa('2026-01-01', '2034-01-01');
      const signature = await stamped({ world, person }, SIGNED_AT);
      world.now = other.now = date('2033-06-01');
      world.http.answers = { ...other.http.answers, ...world.http.answers };
      const anchors = [world, other].map(({ authority }) => parseCertificate(authority.root.certificate));
      const trust = createTrustAnchors(anchors);
      return validateSignature({ signature }, { ...world.services(), trust });
    },
  },
  {
    state: 'the network is not used',
    sub: 'TRY_LATER',
    code: 'REVOCATION_NOT_ASKED',
    make: ({ world, person }) => {
      const revocation = createRevocationChecker({});
      return validateSignature({ signature: craftCms(person) }, { ...world.services(), revocation });
    },
  },
  {
    state: 'nobody answers about revocation',
    sub: 'TRY_LATER',
    code: 'REVOCATION_UNREACHABLE',
    make: ({ world, person }) => {
      world.http.answers = { ...world.http.answers, [CRL_URL]: 'unreachable' };
      return world.validate(craftCms(person));
    },
  },
  {
    state: 'the embedded list ended longer ago than clocks may differ',
    sub: 'TRY_LATER',
    code: 'REVOCATION_STALE',
    make: ({ world, person }) => validateAfterList({ world, person }, CLOCK_SKEW + 1),
  },
  {
    state: 'the list of the authority is old',
    sub: 'TRY_LATER',
    code: 'REVOCATION_STALE',
    make: ({ world, person }) => {
      const old = world.crl('issuing');
      world.http.answers = { ...world.http.answers, [CRL_URL]: old };
      world.now = date('2026-06-01');
      return world.validate(craftCms(person));
    },
  },
  {
    state: 'the list is damaged',
    sub: 'TRY_LATER',
    code: 'REVOCATION_DATA_UNUSABLE',
    make: ({ world, person }) => {
      world.http.answers = { ...world.http.answers, [CRL_URL]: Buffer.from('no list') };
      return world.validate(craftCms(person));
    },
  },
  {
    state: 'the content was not given',
    sub: 'SIGNED_DATA_NOT_FOUND',
    code: 'CONTENT_NOT_GIVEN',
    make: ({ world, person }) => world.validate(craftCms(person, { attached: false })),
  },
];
