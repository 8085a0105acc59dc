/** Files too large to be read whole, with bytes behind the signature. */
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validateSignature, verifyCmsFile, type ValidationReport } from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { SIGNED_AT, ValidationWorld, onlySignature, verdict } from './validation-world.ts';

describe('bytes behind a signature of more than 128 MiB', () => {
  let world: ValidationWorld;
  let person: TestIdentity;
  const folder = mkdtempSync(join(tmpdir(), 'sinete-large-'));
  beforeAll(async () => {
    world = await ValidationWorld.open();
    person = await world.person();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const [signature, content] = ['padded.p7s', 'padded'].map((name) => join(folder, name)) as [string, string];
  const judge = async (attached: boolean): Promise<ValidationReport> => {
    const input = { signature: { path: signature }, ...(attached ? {} : { content: { path: content } }) };
    return validateSignature(input, world.services());
  };
  /** A file with an attached signature over much content, or with a detached signature and zeros behind. */
  const write = async (attached: boolean, behind: string): Promise<void> => {
    for (const path of [signature, content]) rmSync(path, { force: true });
    writeFileSync(content, '');
    truncateSync(content, attached ? 130 * 2 ** 20 : 100);
    const options = { inputPath: content, outputPath: signature, attached, signingTime: SIGNED_AT };
    await world.cms(person).signFile(options);
    if (!attached) truncateSync(signature, 130 * 2 ** 20);
    appendFileSync(signature, behind);
  };

  it.each([
    ['a newline', true, '\n'],
    ['white space and zeros', true, ' \t\r\n\0'],
    ['zeros and a newline', false, '\n'],
  ])('passes with %s behind (attached: %s)', async (_, attached, behind) => {
    await write(attached, behind);
    const report = await judge(attached);
    expect(verdict(report)).toBe('TOTAL-PASSED');
    expect(report.checks.map(({ code }) => code)).toContain('PADDING_BEHIND_SIGNATURE');
    expect(await verifyCmsFile(signature, attached ? undefined : content)).toMatchObject({ intact: true });
  });

  it.each([[true], [false]])('fails with a letter behind (attached: %s)', async (attached) => {
    await write(attached, '\0x\n');
    const report = await judge(attached);
    expect(verdict(report)).toBe('TOTAL-FAILED FORMAT_FAILURE');
    expect(onlySignature(report).checks.map(({ code }) => code)).toContain('BYTES_BEHIND_SIGNATURE');
    await expect(verifyCmsFile(signature, attached ? undefined : content)).rejects.toMatchObject({
      code: 'CMS_MALFORMED',
      message: 'Other data follows the signature.',
    });
  });
});
