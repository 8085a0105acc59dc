/** Addresses and distribution points in certificates, and answers from addresses (RFC 5280 §4.2.1.13, §4.2.2.1). */
import { describe, expect, it } from 'vitest';
import { budgetFor, withBudget } from '../../../src/signing/budget/budget.ts';
import { readDer } from '../../../src/signing/der/reader.ts';
import {
  derContext,
  derOid,
  derPrimitiveContext,
  derPrintableString,
  derSequence,
} from '../../../src/signing/der/writer.ts';
import { ALL_REASONS, relativeTo } from '../../../src/signing/revocation/reasons.ts';
import {
  crlDer,
  fetchBytes,
  readRevocationSources,
  type RevocationSources,
} from '../../../src/signing/revocation/revocation-sources.ts';
import { general, makeExtension, makeName, makeParty } from '../certificates/path/path-pki.ts';
import { pem } from '../../pki/openssl.ts';
import { createFakeHttp } from './fake-http.ts';

const issuer = makeParty({ name: 'Issuer' });
const sourcesOf = (...extensions: readonly Buffer[]): RevocationSources =>
  readRevocationSources(makeParty({ name: 'Holder', issuer, extensions }).certificate);

const OCSP = '1.3.6.1.5.5.7.48.1';
const ISSUERS = '1.3.6.1.5.5.7.48.2';
const access = (...rows: readonly (readonly [string, Buffer])[]): Buffer =>
  makeExtension('1.3.6.1.5.5.7.1.1', derSequence(...rows.map(([method, place]) => derSequence(derOid(method), place))));
const points = (...all: readonly Buffer[]): Buffer => makeExtension('2.5.29.31', derSequence(...all));
const named = (...names: readonly Buffer[]): Buffer => derContext(0, derContext(0, ...names));

describe('readRevocationSources', () => {
  it('finds nothing in a certificate without addresses, and in one that cannot be read', () => {
    const none = { ocsp: [], crls: [], issuers: [], isOnlyElsewhere: false, points: [] };
    expect(sourcesOf()).toEqual(none);
    expect(sourcesOf(makeExtension('2.5.29.31', Buffer.of(0x30, 5, 1)))).toEqual(none);
  });

  it('takes the addresses by their method, trimmed, each once and over HTTP only', () => {
    const { ocsp, issuers } = sourcesOf(
      access(
        [OCSP, general.uri('http://a.test/ ')],
        [ISSUERS, general.uri('HTTPS://b.test/ca')],
        [OCSP, general.uri('ldap://c.test/')],
        [OCSP, general.uri('http://a.test/')],
        [OCSP, general.dns('http://d.test/')],
        [OCSP, general.uri('xhttp://e.test/')],
        [OCSP, general.uri('http://')],
        [OCSP, general.uri('http://f.test/')],
        ['1.2.3', general.uri('http://g.test/')],
      ),
    );
    expect(ocsp).toEqual(['http://a.test/', 'http://f.test/']);
    expect(issuers).toEqual(['HTTPS://b.test/ca']);
  });

  it('takes eight addresses at most', () => {
    const rows = Array.from({ length: 10 }, (_, index) => [OCSP, general.uri(`http://${index}.test/`)] as const);
    expect(sourcesOf(access(...rows)).ocsp).toHaveLength(8);
  });

  it('reads a point with names, and fetches from its addresses', () => {
    const { crls, points: read } = sourcesOf(points(derSequence(named(general.uri('http://a.test/l')))));
    expect(crls).toEqual(['http://a.test/l']);
    expect(read).toMatchObject([
      { names: [{ kind: 6, value: Buffer.from('http://a.test/l') }], reasons: ALL_REASONS, crlIssuers: undefined },
    ]);
  });

  it('does not fetch lists for some reasons, and lists of other issuers', () => {
    const place = named(general.uri('http://a.test/l'));
    const some = derSequence(place, derPrimitiveContext(1, Buffer.from('0640', 'hex')));
    const other = derSequence(place, derContext(2, general.directory(makeName('Lister')), general.dns('x')));
    const { crls, points: read } = sourcesOf(points(some, other));
    expect(crls).toEqual([]);
    expect(read).toMatchObject([{ reasons: 0b10 }, { reasons: ALL_REASONS, crlIssuers: [makeName('Lister')] }]);
    expect(read[1]?.crlIssuers).toHaveLength(1);
  });

  it('reads a name relative to the issuer of the lists, or of the certificate', () => {
    const attribute = derSequence(derOid('2.5.4.3'), derPrintableString('List 1'));
    const relative = derContext(1, attribute);
    const lister = makeName('Lister');
    const { points: read } = sourcesOf(
      points(
        derSequence(derContext(0, relative)),
        derSequence(derContext(0, relative), derContext(2, general.directory(lister))),
        derSequence(derContext(2, general.directory(lister))),
      ),
    );
    const name = readDer(relative);
    expect(read.map(({ names }) => names)).toEqual([
      [relativeTo(issuer.certificate.subject, name)],
      [relativeTo(lister, name)],
      undefined,
    ]);
  });

  it('fetches nothing from a point without names', () => {
    expect(sourcesOf(points(derSequence()))).toMatchObject({ crls: [], points: [{ names: undefined }] });
  });

  it('reads each certificate once', () => {
    const { certificate } = makeParty({ name: 'Holder', issuer });
    expect(readRevocationSources(certificate)).toBe(readRevocationSources(certificate));
  });
});

describe('an answer from an address', () => {
  const ask = (body: Buffer | number) =>
    fetchBytes(createFakeHttp({ 'http://a.test/l': body }), {
      method: 'GET',
      url: 'http://a.test/l',
      timeout: 1000,
      maxBytes: 100,
    });

  it('has a status 200 and bytes', async () => {
    expect(await ask(Buffer.from('x'))).toEqual(Buffer.from('x'));
    for (const [answer, status] of [
      [204, 204],
      [500, 500],
    ] as const) {
      await expect(ask(answer)).rejects.toMatchObject({
        code: 'NETWORK_UNREACHABLE',
        message: `a.test answered with status ${status}.`,
      });
    }
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'nothing'],
    ['the page of a login', Buffer.from('<!doctype html><title>Entrar</title>'), 'a web page'],
    ['an answer of a portal', Buffer.from('{"login": true}'), 'a JSON file'],
  ])('with %s instead of data is told as such', async (_what, body, name) => {
    const problem = { code: 'NO_DATA', sentence: `a.test answered, but with ${name} instead of the data.` };
    await expect(ask(body)).rejects.toMatchObject({ problem });
  });

  it.each([
    ['DER', Buffer.from('3003020101', 'hex'), '3003020101'],
    ['PEM', Buffer.from(pem('X509 CRL', Buffer.from('3003020101', 'hex'))), '3003020101'],
    ['PEM behind words', Buffer.from(`List\n${pem('X509 CRL', Buffer.from('3003020101', 'hex'))}`), '3003020101'],
  ])('is a list in %s', (_, body, hex) => {
    expect(crlDer(body).toString('hex')).toBe(hex);
  });

  it('is left as it is where it is neither', () => {
    const certificate = Buffer.from(pem('CERTIFICATE', Buffer.of(1)));
    expect(crlDer(certificate)).toBe(certificate);
    const inside = Buffer.concat([Buffer.alloc(5000), Buffer.from(pem('X509 CRL', Buffer.of(1)))]);
    expect(crlDer(inside)).toBe(inside);
  });
});

describe('a certificate that was read while the budget of another input ended', () => {
  it('names its responder for the next input', async () => {
    const address = 'http://ocsp.exemplo.br/';
    const extensions = [access([OCSP, general.uri(address)])];
    const { certificate } = makeParty({ name: 'Holder', issuer, extensions });
    const tooMuch = async (): Promise<unknown> => Promise.resolve(readRevocationSources(certificate));
    const limited = withBudget({ ...budgetFor(0), objects: 0 }, tooMuch);
    await expect(limited).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(readRevocationSources(certificate).ocsp).toEqual([address]);
  });
});
