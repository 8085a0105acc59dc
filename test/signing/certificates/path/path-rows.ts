/** Sets of certificates with the verdict of RFC 5280, one rule per row. */
import { Oid } from '../../../../src/signing/der/oids.ts';
import {
  derBitString,
  derNull,
  derOid,
  derPrintableString,
  derSequence,
  derSetOf,
  derUtf8String,
} from '../../../../src/signing/der/writer.ts';
import type { Certificate, PathProblemCode, PathRules } from '../../../../src/signing/index.ts';
import {
  SIGNATURE_KINDS,
  alternativeNames,
  general,
  inhibitAnyPolicy,
  makeExtension,
  makeKey,
  makeName,
  makeParty,
  nameConstraints,
  policies,
  policyConstraints,
  policyMappings,
  type Party,
  type PartyFields,
} from './path-pki.ts';

export interface PathCase {
  readonly leaf: Certificate;
  readonly intermediates: readonly Certificate[];
  readonly anchors: readonly Certificate[];
  readonly rules?: Partial<PathRules>;
}

export interface PathRow {
  readonly name: string;
  readonly make: () => PathCase;
  /** The first problem; absent: the path is valid. */
  readonly problem?: PathProblemCode;
  readonly outcome?: 'incomplete';
  /** False: OpenSSL is not asked, because OpenSSL lacks the rule or the option; `reason` names the reason. */
  readonly openssl?: false;
  readonly reason?: string;
}

type Fields = Omit<PartyFields, 'name' | 'issuer'>;

const certificates = (...parties: readonly Party[]): readonly Certificate[] =>
  parties.map(({ certificate }) => certificate);

/** A root, an authority and a person, each with fields of its own. */
function chain(root: Fields, authority: Fields, leaf: Fields, rules: Partial<PathRules> = {}): PathCase {
  const top = makeParty({ name: 'Root', ...root });
  const middle = makeParty({ name: 'Authority', issuer: top, authority: true, ...authority });
  const holder = makeParty({ name: 'Holder', issuer: middle, ...leaf });
  return { leaf: holder.certificate, intermediates: certificates(middle), anchors: certificates(top), rules };
}

/** Two authorities between the root and the person. */
function longChain(
  root: Fields,
  upper: Fields,
  lower: Fields,
  leaf: Fields = {},
  rules: Partial<PathRules> = {},
): PathCase {
  const top = makeParty({ name: 'Root', ...root });
  const first = makeParty({ name: 'Upper', issuer: top, authority: true, ...upper });
  const second = makeParty({ name: 'Lower', issuer: first, authority: true, ...lower });
  const holder = makeParty({ name: 'Holder', issuer: second, ...leaf });
  return { leaf: holder.certificate, intermediates: certificates(second, first), anchors: certificates(top), rules };
}

const past = { notAfter: new Date('2024-01-01') };
const future = { notBefore: new Date('2035-01-01') };
const critical = makeExtension('1.2.3.4.5', derNull(), true);
const constrained = (
  names: readonly Buffer[],
  permitted: readonly Buffer[],
  excluded: readonly Buffer[] = [],
): PathCase =>
  chain({}, { extensions: [nameConstraints(permitted, excluded)] }, { extensions: [alternativeNames(...names)] });

const structureRows: readonly PathRow[] = [
  { name: 'a root, an authority and a person', make: () => chain({}, {}, {}) },
  { name: 'two authorities, given in the wrong order', make: () => longChain({}, {}, {}) },
  {
    name: 'no key identifiers anywhere',
    make: () => chain({ identifiers: false }, { identifiers: false }, { identifiers: false }),
  },
  {
    name: 'an issuer name in another case, with other spaces and another string type',
    make: () => {
      const top = makeParty({ name: makeName('Root Of  Tests') });
      const issuerName = makeName(' ROOT of tests ', derPrintableString);
      const holder = makeParty({ name: 'Holder', issuer: top, issuerName });
      return { leaf: holder.certificate, intermediates: [], anchors: certificates(top) };
    },
  },
  {
    name: 'a certificate that is itself an anchor',
    make: () => {
      const top = makeParty({ name: 'Root' });
      return { leaf: top.certificate, intermediates: [], anchors: certificates(top) };
    },
  },
  {
    name: 'a cross certificate, where another issuer of the same name and key leads nowhere',
    make: () => {
      const trusted = makeParty({ name: 'Trusted root' });
      const other = makeParty({ name: 'Other root' });
      const cross = makeParty({ name: 'Other root', key: other.key, issuer: trusted, authority: true });
      const holder = makeParty({ name: 'Holder', issuer: other });
      const intermediates = certificates(other, cross);
      return { leaf: holder.certificate, intermediates, anchors: certificates(trusted) };
    },
    openssl: false,
    reason: 'it does not go back from a root that is not trusted',
  },
  {
    name: 'two certificates of the same authority, of which the later one has expired',
    make: () => {
      const top = makeParty({ name: 'Root' });
      const good = makeParty({ name: 'Authority', issuer: top, authority: true });
      const old = makeParty({ name: 'Authority', key: good.key, issuer: top, authority: true, ...past });
      const holder = makeParty({ name: 'Holder', issuer: good });
      return { leaf: holder.certificate, intermediates: certificates(old, good), anchors: certificates(top) };
    },
  },
  {
    name: 'an issuer that is not known',
    make: () => ({ ...chain({}, {}, {}), intermediates: [] }),
    problem: 'ISSUER_NOT_FOUND',
    outcome: 'incomplete',
  },
  {
    name: 'a root that is not trusted',
    make: () => {
      const { leaf, intermediates, anchors } = chain({}, {}, {});
      return {
        leaf,
        intermediates: [...intermediates, ...anchors],
        anchors: certificates(makeParty({ name: 'Other' })),
      };
    },
    problem: 'ROOT_NOT_TRUSTED',
    outcome: 'incomplete',
  },
  {
    name: 'a root that is not trusted, beside a trusted namesake',
    make: () => {
      const { leaf, intermediates, anchors } = chain({}, {}, {});
      const namesakes = anchors.map(({ subject }) => makeParty({ name: subject, identifiers: false }));
      return { leaf, intermediates: [...intermediates, ...anchors], anchors: certificates(...namesakes) };
    },
    problem: 'ROOT_NOT_TRUSTED',
    outcome: 'incomplete',
  },
  {
    name: 'two authorities that certify each other and nobody else',
    make: () => {
      const one = makeParty({ name: 'One' });
      const two = makeParty({ name: 'Two', issuer: one, authority: true });
      const back = makeParty({ name: 'One', key: one.key, issuer: two, authority: true });
      const holder = makeParty({ name: 'Holder', issuer: two });
      return {
        leaf: holder.certificate,
        intermediates: certificates(two, back),
        anchors: certificates(makeParty({ name: 'Root' })),
      };
    },
    problem: 'ISSUER_NOT_FOUND',
    outcome: 'incomplete',
  },
];

const certificateRows: readonly PathRow[] = [
  {
    name: 'a signature that another key made',
    make: () =>
      chain(
        {},
        {},
        {
          signature: {
            ...SIGNATURE_KINDS['ECDSA, SHA-256'],
            sign: (body) => SIGNATURE_KINDS['ECDSA, SHA-256'].sign(body, makeKey().privateKey),
          },
        },
      ),
    problem: 'SIGNATURE_INVALID',
  },
  {
    name: 'two different signature algorithms',
    make: () => chain({}, {}, { innerAlgorithm: SIGNATURE_KINDS['ECDSA, SHA-384'].algorithm }),
    problem: 'CERTIFICATE_MALFORMED',
  },
  { name: 'a person whose certificate has expired', make: () => chain({}, {}, past), problem: 'CERTIFICATE_EXPIRED' },
  {
    name: 'an authority whose certificate has expired',
    make: () => chain({}, past, {}),
    problem: 'CERTIFICATE_EXPIRED',
  },
  { name: 'a root whose certificate has expired', make: () => chain(past, {}, {}), problem: 'CERTIFICATE_EXPIRED' },
  {
    name: 'a person whose certificate is not valid yet',
    make: () => chain({}, {}, future),
    problem: 'CERTIFICATE_NOT_YET_VALID',
  },
  {
    name: 'an authority without basic constraints',
    make: () => chain({}, { basicConstraints: false }, {}),
    problem: 'NOT_AN_AUTHORITY',
  },
  {
    name: 'an issuer that is no authority',
    make: () => chain({}, { authority: false, keyUsage: [5] }, {}),
    problem: 'NOT_AN_AUTHORITY',
  },
  {
    name: 'an authority whose key is for CRLs only',
    make: () => chain({}, { keyUsage: [6] }, {}),
    problem: 'KEY_USAGE_NOT_ALLOWED',
  },
  { name: 'an authority without key usage', make: () => chain({}, { keyUsage: [] }, {}) },
  {
    name: 'an unknown critical extension of the person',
    make: () => chain({}, {}, { extensions: [critical] }),
    problem: 'CRITICAL_EXTENSION_UNKNOWN',
  },
  {
    name: 'an unknown critical extension of the authority',
    make: () => chain({}, { extensions: [critical] }, {}),
    problem: 'CRITICAL_EXTENSION_UNKNOWN',
  },
  {
    name: 'an unknown extension that is not critical',
    make: () => chain({}, {}, { extensions: [makeExtension('1.2.3.4.5', derNull())] }),
  },
  { name: 'one authority where the root allows one', make: () => chain({ pathLength: 1 }, {}, {}) },
  {
    name: 'two authorities where the root allows one',
    make: () => longChain({ pathLength: 1 }, {}, {}),
    problem: 'PATH_TOO_LONG',
  },
  {
    name: 'an authority below one that allows none',
    make: () => longChain({}, { pathLength: 0 }, {}),
    problem: 'PATH_TOO_LONG',
  },
  {
    name: 'a self-issued certificate, which the path length does not count',
    make: () => {
      const top = makeParty({ name: 'Root', pathLength: 0 });
      const renewed = makeParty({ name: 'Root', issuer: top, authority: true });
      const holder = makeParty({ name: 'Holder', issuer: renewed });
      return { leaf: holder.certificate, intermediates: certificates(renewed), anchors: certificates(top) };
    },
  },
  {
    name: 'an authority with a key of a kind that nobody reads',
    make: () =>
      chain(
        {},
        { publicKeyInfo: derSequence(derSequence(derOid('1.3.6.1.4.1.44588.2.1')), derBitString(Buffer.alloc(67, 4))) },
        { identifiers: false },
      ),
    problem: 'KEY_UNREADABLE',
  },
];

const emailName = derSequence(
  derSetOf(derSequence(derOid(Oid.countryName), derPrintableString('BR'))),
  derSetOf(derSequence(derOid(Oid.emailAddress), derUtf8String('who@other.br'))),
);

const nameRows: readonly PathRow[] = [
  {
    name: 'a host below the permitted one',
    make: () => constrained([general.dns('www.example.br')], [general.dns('example.br')]),
  },
  {
    name: 'a host that only ends like the permitted one',
    make: () => constrained([general.dns('notexample.br')], [general.dns('example.br')]),
    problem: 'NAME_NOT_PERMITTED',
  },
  {
    name: 'an excluded host',
    make: () => constrained([general.dns('www.example.br')], [], [general.dns('example.br')]),
    problem: 'NAME_NOT_PERMITTED',
  },
  {
    name: 'the second of two excluded hosts',
    make: () => constrained([general.dns('b.br')], [], [general.dns('a.br'), general.dns('b.br')]),
    problem: 'NAME_NOT_PERMITTED',
  },
  {
    name: 'a host in capitals below an excluded one',
    make: () => constrained([general.dns('WWW.EXAMPLE.BR')], [], [general.dns('example.br')]),
    problem: 'NAME_NOT_PERMITTED',
  },
  {
    name: 'an address inside the permitted range',
    make: () => constrained([general.ip(10, 1, 2, 3)], [general.ip(10, 0, 0, 0, 255, 0, 0, 0)]),
  },
  {
    name: 'an address outside the permitted range',
    make: () => constrained([general.ip(11, 1, 2, 3)], [general.ip(10, 0, 0, 0, 255, 0, 0, 0)]),
    problem: 'NAME_NOT_PERMITTED',
  },
  {
    name: 'an excluded IPv6 address',
    make: () =>
      constrained([general.ip(...Array<number>(15).fill(0), 1)], [], [general.ip(...Array<number>(32).fill(0))]),
    problem: 'NAME_NOT_PERMITTED',
  },
  {
    name: 'an e-mail address at the permitted host',
    make: () => constrained([general.email('who@example.br')], [general.email('example.br')]),
  },
  {
    name: 'an e-mail address at a host below the permitted one',
    make: () => constrained([general.email('who@mail.example.br')], [general.email('example.br')]),
    problem: 'NAME_NOT_PERMITTED',
  },
  {
    name: 'an e-mail address below a permitted domain',
    make: () => constrained([general.email('who@mail.example.br')], [general.email('.example.br')]),
  },
  {
    name: 'an e-mail address in the subject alone, elsewhere',
    make: () => {
      const { intermediates, anchors, ...rest } = chain({}, {}, {});
      const top = makeParty({ name: 'Root' });
      const middle = makeParty({
        name: 'Authority',
        issuer: top,
        authority: true,
        extensions: [nameConstraints([general.email('example.br')])],
      });
      const holder = makeParty({ name: emailName, issuer: middle });
      return {
        ...rest,
        leaf: holder.certificate,
        intermediates: [...intermediates, middle.certificate],
        anchors: [...anchors, top.certificate],
      };
    },
    problem: 'NAME_NOT_PERMITTED',
    openssl: false,
    reason: 'it wants the address as IA5String',
  },
  {
    name: 'a URI at the permitted host',
    make: () => constrained([general.uri('https://www.example.br/a')], [general.uri('www.example.br')]),
  },
  {
    name: 'a URI at another host',
    make: () => constrained([general.uri('https://other.br/a')], [general.uri('www.example.br')]),
    problem: 'NAME_NOT_PERMITTED',
  },
  {
    name: 'a subject inside the permitted directory',
    make: () => constrained([], [general.directory(directoryBase('Sinete PATH tests'))]),
    openssl: false,
    reason: 'an empty list of alternative names',
  },
  {
    name: 'a subject outside the permitted directory',
    make: () => chain({}, { extensions: [nameConstraints([general.directory(directoryBase('Others'))])] }, {}),
    problem: 'NAME_NOT_PERMITTED',
  },
  {
    name: 'an e-mail address with two hosts',
    make: () => constrained([general.email('a@b@example.com')], [general.email('example.com')]),
    problem: 'NAME_CONSTRAINT_UNSUPPORTED',
    openssl: false,
    reason: 'an address that no mailbox has',
  },
  {
    name: 'an e-mail address with an at sign in its quoted part',
    make: () => constrained([general.email('"a@b"@example.com')], [general.email('example.com')]),
    openssl: false,
    reason: 'quoted local parts',
  },
  {
    name: 'a host name that begins with a dot',
    make: () => constrained([general.dns('.example.com')], [general.dns('example.com')]),
    problem: 'NAME_CONSTRAINT_UNSUPPORTED',
    openssl: false,
    reason: 'a name without a label',
  },
  {
    name: 'a name of a form that is constrained and not understood',
    make: () => constrained([general.other('a')], [], [general.other('b')]),
    problem: 'NAME_CONSTRAINT_UNSUPPORTED',
  },
  {
    name: 'a constrained form that no name has',
    make: () => constrained([general.dns('a.br')], [], [general.other('b')]),
  },
  {
    name: 'a wildcard that could stand for an excluded host',
    make: () => constrained([general.dns('*.example.br')], [], [general.dns('a.example.br')]),
    problem: 'NAME_NOT_PERMITTED',
    openssl: false,
    reason: 'it compares wildcards literally',
  },
];

function directoryBase(organization: string): Buffer {
  return derSequence(
    derSetOf(derSequence(derOid(Oid.countryName), derPrintableString('BR'))),
    derSetOf(derSequence(derOid(Oid.organizationName), derUtf8String(organization))),
  );
}

const A = '1.2.3.1';
const B = '1.2.3.2';
const ANY = '2.5.29.32.0';
const of = (...extensions: readonly Buffer[]): Fields => ({ extensions });
const explicit = { policies: { requireExplicit: true } };

const policyRows: readonly PathRow[] = [
  { name: 'no policies, and none required', make: () => chain({}, {}, {}) },
  {
    name: 'no policies where one is required',
    make: () => chain({}, {}, {}, explicit),
    problem: 'POLICY_NOT_ACCEPTABLE',
  },
  { name: 'the same policy all the way', make: () => chain({}, of(policies(A)), of(policies(A)), explicit) },
  {
    name: 'another policy below',
    make: () => chain({}, of(policies(A)), of(policies(B)), explicit),
    problem: 'POLICY_NOT_ACCEPTABLE',
  },
  { name: 'any policy of the authority', make: () => chain({}, of(policies(ANY)), of(policies(B)), explicit) },
  {
    name: 'the policy that the caller accepts',
    make: () =>
      chain({}, of(policies(A, B)), of(policies(A, B)), { policies: { acceptable: [B], requireExplicit: true } }),
  },
  {
    name: 'a policy that the caller does not accept',
    make: () => chain({}, of(policies(A)), of(policies(A)), { policies: { acceptable: [B], requireExplicit: true } }),
    problem: 'POLICY_NOT_ACCEPTABLE',
  },
  {
    name: 'any policy where the caller inhibits it',
    make: () =>
      chain({}, of(policies(ANY)), of(policies(A)), { policies: { requireExplicit: true, inhibitAny: true } }),
    problem: 'POLICY_NOT_ACCEPTABLE',
  },
  {
    name: 'any policy where the authority above inhibits it',
    make: () => longChain({}, of(policies(ANY), inhibitAnyPolicy(0)), of(policies(ANY)), of(policies(A)), explicit),
    problem: 'POLICY_NOT_ACCEPTABLE',
  },
  {
    name: 'a policy required by an authority, and there',
    make: () => longChain({}, of(policies(A), policyConstraints(0)), of(policies(A)), of(policies(A))),
  },
  {
    name: 'a policy required by an authority, and missing',
    make: () => longChain({}, of(policies(A), policyConstraints(0)), of(policies(A)), {}),
    problem: 'POLICY_NOT_ACCEPTABLE',
  },
  {
    name: 'a mapped policy',
    make: () =>
      longChain({}, of(policies(A), policyMappings([A, B])), of(policies(B)), of(policies(B)), {
        policies: { acceptable: [A], requireExplicit: true },
      }),
  },
  {
    name: 'the policy from before its mapping',
    make: () => longChain({}, of(policies(A), policyMappings([A, B])), of(policies(A)), of(policies(A)), explicit),
    problem: 'POLICY_NOT_ACCEPTABLE',
  },
  {
    name: 'a mapped policy where the caller inhibits mappings',
    make: () =>
      longChain({}, of(policies(A), policyMappings([A, B])), of(policies(B)), of(policies(B)), {
        policies: { requireExplicit: true, inhibitMapping: true },
      }),
    problem: 'POLICY_NOT_ACCEPTABLE',
  },
  {
    name: 'a mapped policy where the authority above inhibits mappings',
    make: () =>
      longChain(
        {},
        of(policies(A), policyConstraints(undefined, 0)),
        of(policies(A), policyMappings([A, B])),
        of(policies(B)),
        explicit,
      ),
    problem: 'POLICY_NOT_ACCEPTABLE',
  },
  {
    name: 'a mapping of any policy',
    make: () => longChain({}, of(policies(ANY), policyMappings([ANY, B])), of(policies(B)), of(policies(B)), explicit),
    problem: 'CERTIFICATE_MALFORMED',
  },
  { name: 'the same policy twice', make: () => chain({}, {}, of(policies(A, A))), problem: 'CERTIFICATE_MALFORMED' },
];

export const PATH_ROWS: readonly PathRow[] = [...structureRows, ...certificateRows, ...nameRows, ...policyRows];
