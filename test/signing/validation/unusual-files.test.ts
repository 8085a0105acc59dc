/** Files that are not the usual: without a border, without a signer, or with a time stamp alone. */
import { hash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { readableReport, summarizeReport } from '../../../src/service/validation/index.ts';
import {
  Oid,
  derContext,
  derInteger,
  derOid,
  derSequence,
  derSetOf,
  type ValidationReport,
} from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { craftCms } from './craft-cms.ts';
import { ValidationWorld, date, verdict } from './validation-world.ts';

const CONTENT = Buffer.from('content');
let world: ValidationWorld;
let person: TestIdentity;
beforeAll(async () => {
  world = await ValidationWorld.open();
  person = await world.person();
});

describe('base64 without borders', () => {
  it.each([
    ['in one line', (text: string) => text],
    ['in lines', (text: string) => `${text.replace(/(.{64})/g, '$1\r\n')}\n`],
    ['behind a byte order mark', (text: string) => `\ufeff${text}\n`],
    ['twice', (text: string) => Buffer.from(`${text}\n`).toString('base64')],
    ['with the letters for addresses', (text: string) => Buffer.from(text, 'base64').toString('base64url')],
    ['in a data URL', (text: string) => `data:application/pkcs7-mime;base64,${text}`],
  ])('is read: %s', async (_, write) => {
    const report = await world.validate(Buffer.from(write(craftCms(person).toString('base64'))));
    expect(verdict(report)).toBe('TOTAL-PASSED');
  });

  it('of something else is no signature', async () => {
    const noise = Buffer.from(Buffer.concat([Buffer.of(1), randomBytes(60)]).toString('base64'));
    await expect(world.validate(noise)).rejects.toMatchObject({ code: 'CMS_MALFORMED' });
  });
});

describe('a file without a signer', () => {
  it('is told by its certificates (.p7b, .p7c)', async () => {
    const body = derSequence(
      derInteger(1),
      derSetOf(),
      derSequence(derOid(Oid.data)),
      derContext(0, Buffer.from(person.certificate)),
      derSetOf(),
    );
    const bag = derSequence(derOid(Oid.signedData), derContext(0, body));
    await expect(world.validate(bag)).rejects.toMatchObject({
      code: 'CMS_UNSUPPORTED',
      message: 'This file holds certificates, but no signature.',
    });
  });

  it('is told when it is a certificate', async () => {
    await expect(world.validate(person.certificate)).rejects.toMatchObject({
      code: 'CMS_UNSUPPORTED',
      message: 'This file is a certificate, and not a signature.',
    });
  });
});

describe('a time stamp in a file of its own', () => {
  const token = async (content = CONTENT): Promise<Buffer> => {
    const { der } = await world.timestamper.stamp(hash('sha256', content, 'buffer'));
    return der;
  };
  /** TimeStampResp (RFC 3161 §2.4.2). */
  const response = (status: number, ...more: readonly Buffer[]): Buffer =>
    derSequence(derSequence(derInteger(status)), ...more);

  const codeOf = (report: ValidationReport): number => summarizeReport(report).detail.signature.code;

  it.each([
    ['a token', (der: Buffer) => der],
    ['a response', (der: Buffer) => response(0, der)],
    ['a response with modifications', (der: Buffer) => response(1, der)],
    ['a response and a newline', (der: Buffer) => Buffer.concat([response(0, der), Buffer.from('\n')])],
  ])('is judged with its content: %s', async (_, wrap) => {
    const report = await world.validate(wrap(await token()), { content: CONTENT });
    expect(report).toMatchObject({ kind: 'timestamp', signatures: [] });
    expect(verdict(report)).toBe('TOTAL-PASSED');
    expect(report.documentTimestamps.map(({ time }) => time)).toEqual([world.now]);
    const { status, detail } = summarizeReport(report);
    const codes = [detail.signature.code, detail.date.code, detail.crl.code, detail.trust.code];
    expect([status, ...codes]).toEqual([true, 1185, 1187, 1191, 1189]);
    const { sentence } = readableReport(report, { file: 'a.tsr', content: null }, 'en');
    expect(sentence).not.toMatch(/all signatures|signatures are/i);
  });

  it('is broken over other content', async () => {
    const report = await world.validate(await token(), { content: Buffer.from('other') });
    expect(verdict(report)).toBe('TOTAL-FAILED HASH_FAILURE');
    expect(codeOf(report)).toBe(1186);
  });

  it('is undetermined without its content', async () => {
    const report = await world.validate(await token());
    expect(verdict(report)).toBe('INDETERMINATE SIGNED_DATA_NOT_FOUND');
    expect([summarizeReport(report).status, codeOf(report)]).toEqual([false, 1194]);
  });

  it('is undetermined when its authority is not trusted', async () => {
    const own = world.tsa;
    const stranger = await ValidationWorld.open({ label: ' B' });
    world.tsa = stranger.tsa;
    const report = await world.validate(await token(), { content: CONTENT, at: date('2026-03-01') });
    world.tsa = own;
    expect(verdict(report)).toBe('INDETERMINATE NO_CERTIFICATE_CHAIN_FOUND');
    expect(summarizeReport(report).detail.trust.code).toBe(1190);
  });

  it('tells why there is none, when the server refused', async () => {
    await expect(world.validate(response(2))).rejects.toMatchObject({ code: 'TIMESTAMP_REFUSED' });
  });
});
