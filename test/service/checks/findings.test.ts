import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeCheck, findings, found, type Check, type Finding } from '../../../src/service/checks/index.ts';

const codes = Object.keys(findings) as readonly Finding[];
/** The sources of the checks. */
const checkSources = ['check-core', 'check-storage', 'check-computer']
  .map((name) => readFileSync(`src/service/checks/${name}.ts`, 'utf8'))
  .join('\n');
/** The tests of the checks. */
const checkTests = ['check-core', 'check-computer']
  .map((name) => readFileSync(`test/service/checks/${name}.test.ts`, 'utf8'))
  .join('\n');
const languages = ['en', 'pt-BR'] as const;
const readers = ['program', 'window'] as const;

describe('the registry of findings', () => {
  it.each(codes)('tells %s in both languages, with a remedy exactly where something is not in order', (finding) => {
    const check = found('checked', finding, {
      remedy: 'Install it.',
      problem: 'It is missing.',
      reason: 'It is away.',
    });
    for (const language of languages) {
      for (const reader of readers) {
        const { title, message, purpose, remedy } = describeCheck(check, language, reader);
        expect([title, message, purpose]).not.toContain('');
        expect(remedy === null).toBe(findings[finding].outcome === 'ok');
        expect(remedy).not.toBe('');
      }
    }
  });

  it.each(codes)('does not tell %s with the same words in both languages', (finding) => {
    const check = found('checked', finding);
    const [english, portuguese] = languages.map((language) => describeCheck(check, language, 'window'));
    expect(portuguese?.purpose).not.toBe(english?.purpose);
    expect(portuguese?.message).not.toBe(english?.message);
  });

  it.each(codes)('is complete: a check answers %s', (finding) => {
    expect(checkSources).toContain(`'${finding}'`);
  });

  it.each(codes.filter((finding) => findings[finding].outcome !== 'ok'))(
    'has a row that brings %s about',
    (finding) => {
      expect(checkTests, 'add a row to check-core.test.ts or check-computer.test.ts').toContain(`'${finding}'`);
    },
  );

  it('has an outcome and repairs for each finding, and a check can tell others', () => {
    expect(found('card-reader', 'token-without-driver')).toMatchObject({
      area: 'tokens',
      outcome: 'problem',
      repairs: [{ kind: 'open', page: 'settings' }],
    });
    const driver = { kind: 'add-driver', path: '/usr/lib/token.so' } as const;
    expect(found('card-reader', 'token-without-driver', {}, { outcome: 'advice', repairs: [driver] })).toMatchObject({
      outcome: 'advice',
      repairs: [driver, { kind: 'open', page: 'settings' }],
    });
  });
});

describe('describeCheck', () => {
  const ends: Check = found('certificate:maria', 'certificate-expires', {
    name: 'Maria',
    count: 12,
    day: '2026-12-03',
  });

  it('writes days in digits for programs, and as the language of the window writes them', () => {
    expect(describeCheck(ends).message).toBe('The certificate of Maria ends in 12 days, on 2026-12-03.');
    expect(describeCheck(ends, 'pt-BR', 'window').message).toBe('Vence em 12 dias, em 3 de dez. de 2026.');
  });

  it('writes sizes with the decimal separator of the language', () => {
    const scarce = found('data-folder', 'folder-scarce', { free: 4.5e8, kept: 0, awaited: 0, cause: 'disk' });
    expect(describeCheck(scarce).message).toBe('In the data folder only 450.0 MB are free.');
    expect(describeCheck(scarce, 'pt-BR', 'window').message).toContain('450,0 MB');
  });

  it('names commands to programs, and pages or buttons to the window', () => {
    const none = found('certificates', 'certificates-none');
    expect(describeCheck(none).remedy).toContain('sinete certificates add');
    expect(describeCheck(none, 'en', 'window').remedy).not.toContain('sinete ');
  });

  it('tells the error of a driver and of a store in the language of the window', () => {
    const fails = found('key-source:token:a', 'source-fails', { name: 'A', problem: 'MODULE_TIMEOUT', detail: '' });
    expect(describeCheck(fails, 'pt-BR', 'window').message).toContain('O token não respondeu a tempo.');
    const silent = found('object-store:a', 'store-silent', { name: 'a', code: 'STORE_REFUSED', reason: 'No.' });
    expect(describeCheck(silent, 'pt-BR', 'window').message).toContain('O armazenamento recusou.');
    const unknown = found('object-store:a', 'store-silent', { name: 'a', code: 'SOMETHING_ELSE', reason: 'No.' });
    expect(describeCheck(unknown, 'pt-BR', 'window').message).toBe('Não está acessível.');
  });
});
