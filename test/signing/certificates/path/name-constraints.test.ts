import { describe, expect, it } from 'vitest';
import {
  Oid,
  derPrintableString,
  derSequence,
  derSetOf,
  derOid,
  derUtf8String,
} from '../../../../src/signing/index.ts';
import { GeneralNameKind, readGeneralName } from '../../../../src/signing/certificates/path/distinguished-name.ts';
import { findNameViolation, namesUnderConstraint } from '../../../../src/signing/certificates/path/name-constraints.ts';
import { readDer } from '../../../../src/signing/der/reader.ts';
import { alternativeNames, general, makeName, makeParty } from './path-pki.ts';

const EMPTY_NAME = derSequence();
const read = (names: readonly Buffer[]) => names.map((der) => readGeneralName(readDer(der)));

/** The code of the violation by a certificate with these alternative names, or undefined. */
function judge(
  names: readonly Buffer[],
  { permitted = [], excluded = [] }: { readonly permitted?: readonly Buffer[]; readonly excluded?: readonly Buffer[] },
  subject: string | Buffer = EMPTY_NAME,
): string | undefined {
  const extensions = names.length === 0 ? [] : [alternativeNames(...names)];
  const { certificate } = makeParty({ name: subject, extensions });
  return findNameViolation(certificate, { permitted: read(permitted), excluded: read(excluded) })?.code;
}

const { email, dns, uri, ip, directory, other } = general;
const IPV6 = (last: number): readonly number[] => [...Array<number>(15).fill(0), last];
const FULL = Array<number>(16).fill(255);
const FORBIDDEN = 'NAME_NOT_PERMITTED';
const UNKNOWN = 'NAME_CONSTRAINT_UNSUPPORTED';

/** A name, a limit, the answer where the limit is permitted, and the answer where the limit is excluded. */
const limitRows: readonly (readonly [string, Buffer, Buffer, string | undefined, string | undefined])[] = [
  ['a host itself', dns('a.br'), dns('a.br'), undefined, FORBIDDEN],
  ['a host below', dns('x.y.a.br'), dns('a.br'), undefined, FORBIDDEN],
  ['a host below, for a limit with a dot', dns('x.a.br'), dns('.a.br'), undefined, FORBIDDEN],
  ['the host itself, for a limit with a dot', dns('a.br'), dns('.a.br'), FORBIDDEN, undefined],
  ['a host beside, for a limit with a dot', dns('xa.br'), dns('.a.br'), FORBIDDEN, undefined],
  ['any host, for an empty limit', dns('x.br'), dns(''), undefined, FORBIDDEN],
  ['a host in other letters', dns('X.A.br'), dns('a.BR'), undefined, FORBIDDEN],
  ['a limit that ends with a dot', dns('x.a.br'), dns('a.br.'), FORBIDDEN, undefined],
  ['a wildcard for the limit', dns('*.a.br'), dns('x.a.br'), FORBIDDEN, FORBIDDEN],
  ['a wildcard for the limit with a dot', dns('*.a.br'), dns('.x.a.br'), FORBIDDEN, FORBIDDEN],
  ['a wildcard elsewhere', dns('*.b.br'), dns('x.a.br'), FORBIDDEN, undefined],
  ['a wildcard two labels above', dns('*.a.br'), dns('x.y.a.br'), FORBIDDEN, undefined],
  ['a wildcard that is not the whole label', dns('z*.a.br'), dns('x.a.br'), FORBIDDEN, undefined],
  ['a limit with a wildcard', dns('x.a.br'), dns('*.a.br'), UNKNOWN, UNKNOWN],
  ['a host that begins with a dot', dns('.a.br'), dns('a.br'), UNKNOWN, UNKNOWN],
  ['a host with an empty label', dns('x..a.br'), dns('a.br'), UNKNOWN, UNKNOWN],
  ['an address of the mailbox', email('maria@a.br'), email('maria@a.br'), undefined, FORBIDDEN],
  [
    'an address of the mailbox, its host in other letters',
    email('maria@A.br'),
    email('maria@a.BR'),
    undefined,
    FORBIDDEN,
  ],
  ['an address whose local part has other letters', email('Maria@a.br'), email('maria@a.br'), FORBIDDEN, undefined],
  ['an address of another mailbox of the host', email('jose@a.br'), email('maria@a.br'), FORBIDDEN, undefined],
  ['an address of the same mailbox elsewhere', email('maria@b.br'), email('maria@a.br'), FORBIDDEN, undefined],
  ['an address at the host, in other letters', email('maria@A.br'), email('a.BR'), undefined, FORBIDDEN],
  ['an address below the domain, for a limit with a dot', email('maria@x.a.br'), email('.a.br'), undefined, FORBIDDEN],
  ['an address at the domain, for a limit with a dot', email('maria@a.br'), email('.a.br'), FORBIDDEN, undefined],
  ['an address for a limit that begins with an at sign', email('maria@a.br'), email('@a.br'), FORBIDDEN, undefined],
  ['an address with two at signs', email('maria@b@a.br'), email('a.br'), UNKNOWN, UNKNOWN],
  ['an address without a local part', email('@a.br'), email('a.br'), UNKNOWN, UNKNOWN],
  ['an address without a host', email('maria'), email('a.br'), UNKNOWN, UNKNOWN],
  ['an address whose host has an empty label', email('maria@a..br'), email('a.br'), UNKNOWN, UNKNOWN],
  ['an address whose local part has empty labels', email('.maria@a.br'), email('a.br'), undefined, FORBIDDEN],
  ['a quoted at sign', email('"a@b"@a.br'), email('a.br'), undefined, FORBIDDEN],
  ['an at sign behind a quoted part', email('"a"b@c@a.br'), email('a.br'), UNKNOWN, UNKNOWN],
  ['an at sign before a quoted part', email('b@"a"@a.br'), email('a.br'), UNKNOWN, UNKNOWN],
  ['a URI at the host', uri('https://a.br/x'), uri('a.br'), undefined, FORBIDDEN],
  ['a URI at the host, with a user and a port', uri('https://maria:x@A.br:8443/x'), uri('a.BR'), undefined, FORBIDDEN],
  ['a URI with an at sign in its path', uri('https://b.br/@a.br'), uri('a.br'), FORBIDDEN, undefined],
  ['a URI of a scheme with a digit', uri('h2+x.y-z://a.br'), uri('a.br'), undefined, FORBIDDEN],
  ['a URI below the domain, for a limit with a dot', uri('https://x.a.br'), uri('.a.br'), undefined, FORBIDDEN],
  ['a URI below the host, for a limit without a dot', uri('https://x.a.br'), uri('a.br'), FORBIDDEN, undefined],
  ['a URI with an address in place of a host', uri('https://10.0.0.1/'), uri('a.br'), UNKNOWN, UNKNOWN],
  ['a URI whose host begins with digits', uri('https://10.a.br/'), uri('10.a.br'), undefined, FORBIDDEN],
  ['a URI whose host ends with digits', uri('https://a.b1/'), uri('a.b1'), undefined, FORBIDDEN],
  ['a URI without a host', uri('urn:a.br'), uri('a.br'), UNKNOWN, UNKNOWN],
  ['a URI inside of something else', uri(' https://a.br'), uri('a.br'), UNKNOWN, UNKNOWN],
  ['an IPv4 address inside', ip(10, 1, 2, 3), ip(10, 1, 2, 0, 255, 255, 255, 0), undefined, FORBIDDEN],
  ['an IPv4 address outside', ip(10, 1, 3, 3), ip(10, 1, 2, 0, 255, 255, 255, 0), FORBIDDEN, undefined],
  [
    'an IPv4 address, for a mask inside of a byte',
    ip(10, 15, 0, 1),
    ip(10, 0, 0, 0, 255, 240, 0, 0),
    undefined,
    FORBIDDEN,
  ],
  [
    'an IPv4 address behind a mask inside of a byte',
    ip(10, 16, 0, 1),
    ip(10, 0, 0, 0, 255, 240, 0, 0),
    FORBIDDEN,
    undefined,
  ],
  ['an IPv4 address, for a mask with a gap', ip(10, 0, 0, 1), ip(10, 0, 0, 0, 255, 0, 255, 0), UNKNOWN, UNKNOWN],
  [
    'an IPv4 address, for a mask that begins with a gap',
    ip(10, 0, 0, 1),
    ip(0, 0, 0, 0, 0, 255, 255, 255),
    UNKNOWN,
    UNKNOWN,
  ],
  ['an IPv4 address, for a range of six bytes', ip(10, 0, 0, 1), ip(10, 0, 0, 255, 255, 255), UNKNOWN, UNKNOWN],
  [
    'an IPv4 address, for a range of IPv6',
    ip(0, 0, 0, 0),
    ip(...IPV6(0), ...Array<number>(16).fill(0)),
    FORBIDDEN,
    undefined,
  ],
  ['an IPv6 address itself', ip(...IPV6(1)), ip(...IPV6(1), ...FULL), undefined, FORBIDDEN],
  ['an IPv6 address beside', ip(...IPV6(2)), ip(...IPV6(1), ...FULL), FORBIDDEN, undefined],
  ['an address of five bytes', ip(10, 0, 0, 0, 1), ip(10, 0, 0, 0, 255, 0, 0, 0), UNKNOWN, UNKNOWN],
  ['a directory name below', directory(makeName('A')), directory(EMPTY_NAME), undefined, FORBIDDEN],
  ['a directory name itself', directory(makeName('A')), directory(makeName('a')), undefined, FORBIDDEN],
  ['another directory name', directory(makeName('A')), directory(makeName('B')), FORBIDDEN, undefined],
  ['a name of another kind', other('a'), other('a'), UNKNOWN, UNKNOWN],
];

describe('a name under a constraint (RFC 5280 §4.2.1.10)', () => {
  it.each(limitRows)('judges %s', (_, name, limit, permitted, excluded) => {
    expect([judge([name], { permitted: [limit] }), judge([name], { excluded: [limit] })]).toEqual([
      permitted,
      excluded,
    ]);
  });

  it('needs one of several permitted limits of its form', () => {
    const permitted = [dns('a.br'), dns('b.br'), email('c.br')];
    expect(judge([dns('x.b.br'), email('maria@c.br')], { permitted })).toBeUndefined();
    expect(judge([dns('x.c.br')], { permitted })).toBe(FORBIDDEN);
  });

  it('is forbidden by an exclusion inside of what is permitted', () => {
    const limits = { permitted: [dns('a.br')], excluded: [dns('x.a.br')] };
    expect(judge([dns('y.a.br')], limits)).toBeUndefined();
    expect(judge([dns('y.x.a.br')], limits)).toBe(FORBIDDEN);
  });

  it('is free where no limit is of its form', () => {
    expect(judge([uri('urn:a.br'), dns('..'), other('a')], { permitted: [email('a.br')] })).toBeUndefined();
  });

  it.each([
    [email('a.br'), 'an e-mail address'],
    [dns('a.br'), 'a host name'],
    [uri('a.br'), 'a URI'],
    [ip(10, 0, 0, 0, 255, 0, 0, 0), 'an IP address'],
    [directory(makeName('A')), 'a directory name'],
  ])('is named in the sentence by its form', (limit, words) => {
    const names = [email('m@b.br'), dns('b.br'), uri('https://b.br'), ip(11, 0, 0, 0), directory(makeName('B'))];
    const { certificate } = makeParty({ name: EMPTY_NAME, extensions: [alternativeNames(...names)] });
    const found = findNameViolation(certificate, { permitted: read([limit]), excluded: [] });
    expect(found).toEqual({
      code: FORBIDDEN,
      sentence: `An authority above forbids ${words} that the certificate has.`,
    });
  });

  it('says in the sentence what cannot be judged', () => {
    const { certificate } = makeParty({ name: EMPTY_NAME, extensions: [alternativeNames(other('a'))] });
    expect(findNameViolation(certificate, { permitted: [], excluded: read([other('b')]) })?.sentence).toBe(
      'A name constraint cannot be judged here: names of kind 0.',
    );
  });
});

describe('the names of a certificate under constraints', () => {
  const withAddress = derSequence(derSetOf(derSequence(derOid(Oid.emailAddress), derUtf8String('maria@a.br'))));

  it('are the subject and the alternative names', () => {
    const { certificate } = makeParty({ name: makeName('A'), extensions: [alternativeNames(dns('a.br'))] });
    expect(namesUnderConstraint(certificate)).toEqual([
      { kind: GeneralNameKind.dns, value: Buffer.from('a.br') },
      { kind: GeneralNameKind.directory, value: makeName('A') },
    ]);
  });

  it('have no directory name where the subject is empty', () => {
    const { certificate } = makeParty({ name: EMPTY_NAME });
    expect(namesUnderConstraint(certificate)).toEqual([]);
  });

  it('have the address of the subject only without an alternative one', () => {
    const kinds = (...names: readonly Buffer[]) => {
      const extensions = names.length === 0 ? [] : [alternativeNames(...names)];
      return namesUnderConstraint(makeParty({ name: withAddress, extensions }).certificate).map(({ kind }) => kind);
    };
    expect(kinds()).toEqual([GeneralNameKind.directory, GeneralNameKind.email]);
    expect(kinds(dns('a.br'))).toEqual([GeneralNameKind.dns, GeneralNameKind.directory, GeneralNameKind.email]);
    expect(kinds(email('jose@b.br'))).toEqual([GeneralNameKind.email, GeneralNameKind.directory]);
  });

  it('forbid a certificate by the address of its subject alone', () => {
    expect(judge([], { excluded: [email('a.br')] }, withAddress)).toBe(FORBIDDEN);
    expect(judge([email('jose@b.br')], { excluded: [email('a.br')] }, withAddress)).toBeUndefined();
  });

  it('are read all, so that a damaged one is found without a limit on its form', () => {
    const damaged = derSequence(derPrintableString('not a relative name'));
    expect(() => judge([directory(damaged)], { permitted: [] })).toThrow(
      expect.objectContaining({ code: 'DER_MALFORMED' }),
    );
  });

  it('are not compared with more limits than 250,000 comparisons allow', () => {
    const names = Array.from({ length: 500 }, (_, index) => dns(`${index}.br`));
    const { certificate } = makeParty({ name: EMPTY_NAME, extensions: [alternativeNames(...names)] });
    const excluded = Array.from({ length: 500 }, () => ({ kind: GeneralNameKind.uri, value: Buffer.from('a.br') }));
    expect(findNameViolation(certificate, { permitted: [], excluded })).toBeUndefined();
    const one = excluded.slice(0, 1);
    expect(findNameViolation(certificate, { permitted: one, excluded })).toEqual({
      code: UNKNOWN,
      sentence: 'There are too many names and name constraints to compare.',
    });
  });
});
