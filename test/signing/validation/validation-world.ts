/** A PKI with services and a clock that tests set: signatures of every level, and validations at any time. */
import { createPrivateKey } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import {
  createMaterialCollector,
  createMemoryRevocationCache,
  createPathCompleter,
  createRevocationChecker,
  createTimestamper,
  createTrustAnchors,
  parseCertificate,
  prepareCmsSigner,
  softwareSigner,
  validateSignature,
  type CmsLevel,
  type CmsSigner,
  type CmsSignerOptions,
  type MaterialCollector,
  type RevocationCache,
  type Signer,
  type SignatureReport,
  type Timestamper,
  type ValidationOptions,
  type ValidationReport,
  type ValidationServices,
} from '../../../src/signing/index.ts';
import {
  answerOcspRequest,
  answerTimestampRequest,
  createTestAuthority,
  issueTestPerson,
  issueTestResponder,
  issueTestTimestampAuthority,
  writeCrl,
  type TestAuthority,
  type TestCrlEntry,
  type TestIdentity,
  type TestIssueOptions,
  type TestKeyKind,
} from '../../../src/test-authority/index.ts';
import { MARIA_CPF } from '../../pki/identities.ts';
import { createFakeHttp, type FakeHttp } from '../revocation/fake-http.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Milliseconds from the making of a revocation list to its next update. */
export const LIST_LIFETIME = 7 * DAY;

export const CRL_URL = 'http://lists.test/issuing';
export const ROOT_CRL_URL = 'http://lists.test/root';
export const OCSP_URL = 'http://ocsp.test/';
const TSA_URL = 'http://tsa.test/';

export const date = (text: string): Date => new Date(`${text}T12:00:00Z`);

/** When things are signed unless a test says otherwise. */
export const SIGNED_AT = date('2026-03-01');

export interface WorldOptions {
  readonly keyKind?: TestKeyKind;
  /** By default everything in this world is signed with SHA-2. */
  readonly hashes?: 'sha3';
  /** People's certificates name an OCSP responder as well. */
  readonly ocsp?: boolean;
  /** Beginning of the validity of the authorities; by default the beginning of 2025. */
  readonly notBefore?: Date;
  /** Least years of the authorities' certificates. */
  readonly years?: number;
  /** Stands in the names of the authorities and behind the addresses of their lists; by default nothing. */
  readonly label?: string;
}

/** How validations get revocation data: nothing from the network, and from a cache that outlives the validation. */
export interface ServiceOptions {
  readonly offline?: boolean;
  readonly cache?: RevocationCache;
}

export class ValidationWorld {
  readonly authority: TestAuthority;
  readonly responder: TestIdentity;
  readonly http: FakeHttp;
  /** The time that all clocks of this world show. */
  now = SIGNED_AT;
  /** Who stamps. */
  tsa: TestIdentity;
  /** Certificates on the revocation list of the issuing authority. */
  readonly revoked: TestCrlEntry[] = [];
  readonly revokedAuthorities: TestCrlEntry[] = [];

  private constructor(authority: TestAuthority, tsa: TestIdentity, responder: TestIdentity, label: string) {
    this.authority = authority;
    this.tsa = tsa;
    this.responder = responder;
    this.http = createFakeHttp({
      [CRL_URL + label]: () => this.crl('issuing'),
      [ROOT_CRL_URL + label]: () => this.crl('root'),
      [OCSP_URL]: ({ body }) =>
        answerOcspRequest(body ?? Buffer.alloc(0), {
          issuer: authority.issuing.certificate,
          responder,
          now: this.now,
          statusOf: (serialNumber) => {
            const entry = this.revoked.find((one) => serialNumber.equals(one.serialNumber));
            return entry === undefined ? { status: 'good' } : { status: 'revoked', ...entry };
          },
        }),
      [TSA_URL]: ({ body }) => answerTimestampRequest(this.tsa, body ?? Buffer.alloc(0), { now: this.now }),
    });
  }

  static async open(options: WorldOptions = {}): Promise<ValidationWorld> {
    const { keyKind = 'ec-p256', ocsp = false, notBefore = date('2025-01-01'), label = '' } = options;
    const terms = { years: options.years, hashes: options.hashes };
    const lists = { crl: [CRL_URL + label], above: { crl: [ROOT_CRL_URL + label] } };
    const urls = { ...lists, ...(ocsp ? { ocsp: OCSP_URL } : {}) };
    const authority = await createTestAuthority({
      keyKind,
      notBefore,
      urls,
      ...terms,
      ...(label === '' ? {} : { label }),
    });
    const services = { keyKind: 'ec-p256', notBefore } as const;
    return new ValidationWorld(
      authority,
      await issueTestTimestampAuthority(authority, { ...services, notAfter: date('2028-01-01') }),
      await issueTestResponder(authority, { ...services, notAfter: date('2026-09-01') }),
      label,
    );
  }

  /** Everything but the changed answers, for another process. Has private keys of the test. */
  save(): Buffer {
    const { authority, tsa, responder, now, revoked, revokedAuthorities } = this;
    return serialize({ authority, tsa, responder, now, revoked, revokedAuthorities });
  }

  /** A world saved by another process. */
  static restore(saved: Buffer): ValidationWorld {
    const { authority, tsa, responder, now, revoked, revokedAuthorities } = deserialize(saved) as ValidationWorld;
    const world = new ValidationWorld(authority, tsa, responder, '');
    world.now = now;
    world.revoked.push(...revoked);
    world.revokedAuthorities.push(...revokedAuthorities);
    return world;
  }

  /** A list as of now. */
  crl(name: 'issuing' | 'root'): Buffer {
    const isRoot = name === 'root';
    return writeCrl(
      {
        issuer: isRoot ? this.authority.root : this.authority.issuing,
        number: this.now.getTime(),
        thisUpdate: this.now,
        nextUpdate: new Date(this.now.getTime() + LIST_LIFETIME),
      },
      isRoot ? this.revokedAuthorities : this.revoked,
    );
  }

  /** Valid for a year from February 2026 on unless told otherwise. */
  person(options: TestIssueOptions = {}): Promise<TestIdentity> {
    const dates = { notBefore: date('2026-02-01'), notAfter: date('2027-02-01') };
    const about = { name: 'MARIA DE TESTE', cpf: MARIA_CPF, keyKind: 'ec-p256' } as const;
    return issueTestPerson(this.authority, { ...about, ...dates, ...options });
  }

  anotherTsa(notBefore: string, notAfter: string): Promise<TestIdentity> {
    const dates = { notBefore: date(notBefore), notAfter: date(notAfter) };
    return issueTestTimestampAuthority(this.authority, { keyKind: 'ec-p256', ...dates });
  }

  revoke({ certificate }: TestIdentity, at: Date, reason: NonNullable<TestCrlEntry['reason']> = 'keyCompromise'): void {
    this.revoked.push({ serialNumber: parseCertificate(certificate).serialNumber, at, reason });
  }

  signerOf({ privateKey, certificate, chain }: TestIdentity): Signer {
    return softwareSigner(createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }), certificate, chain);
  }

  get timestamper(): Timestamper {
    const authority = {
      id: 'test',
      url: TSA_URL,
      digest: 'sha256',
      authentication: { kind: 'none' },
      timeout: 1000,
    } as const;
    return createTimestamper({ authorities: [authority], now: () => this.now, http: this.http });
  }

  /** Keeps what was fetched, for as long as the world stands. */
  readonly cache = createMemoryRevocationCache({ now: () => this.now });

  /** Gathers evidence; with the shared cache, what was fetched before is at hand. */
  collectorWith(cache: RevocationCache): MaterialCollector {
    return createMaterialCollector({
      cache,
      anchors: [parseCertificate(this.authority.root.certificate)],
      intermediates: [],
      http: this.http,
      now: () => this.now,
    });
  }

  get collector(): MaterialCollector {
    return createMaterialCollector({
      anchors: [parseCertificate(this.authority.root.certificate)],
      intermediates: [],
      http: this.http,
      now: () => this.now,
    });
  }

  cms(identity: TestIdentity, level?: CmsLevel, options: Partial<CmsSignerOptions> = {}): CmsSigner {
    const services = { timestamper: this.timestamper, collector: this.collector, now: () => this.now };
    return prepareCmsSigner(this.signerOf(identity), {
      digest: 'sha256',
      profile: 'cades',
      ...(level === undefined ? {} : { level, ...services }),
      ...options,
    });
  }

  /** Everything fetched anew; `offline`: nothing is fetched. */
  services({ offline = false, cache: shared }: ServiceOptions = {}): ValidationServices {
    const anchors = [parseCertificate(this.authority.root.certificate)];
    const now = (): Date => this.now;
    const cache = shared ?? createMemoryRevocationCache({ now });
    const network = offline ? {} : { http: this.http };
    return {
      trust: createTrustAnchors(anchors),
      revocation: createRevocationChecker({ ...network, cache, now }),
      completePath: createPathCompleter({ ...network, cache, now }),
      now,
    };
  }

  /** The report over a signature at a time, by default now. */
  validate(
    signature: Uint8Array,
    {
      content,
      offline = false,
      cache,
      ...options
    }: ValidationOptions & ServiceOptions & { readonly content?: Uint8Array } = {},
  ): Promise<ValidationReport> {
    const input = { signature, content };
    return validateSignature(input, this.services({ offline, cache }), options);
  }
}

/** The one signature of a report. */
export function onlySignature({ signatures }: ValidationReport): SignatureReport {
  const [first, second] = signatures;
  if (first === undefined || second !== undefined) throw new Error(`There are ${signatures.length} signatures.`);
  return first;
}

/** `TOTAL-PASSED`, or the indication with its sub-indication. */
export const verdict = ({
  indication,
  subIndication,
}: Pick<ValidationReport, 'indication' | 'subIndication'>): string =>
  subIndication === undefined ? indication : `${indication} ${subIndication}`;

/** The codes of all checks of a signature. */
export const codesOf = ({ checks }: Pick<SignatureReport, 'checks'>): readonly string[] =>
  checks.map(({ code }) => code);
