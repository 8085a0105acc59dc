import { describe, expect, it } from 'vitest';
import { formatCpf } from '../../renderer/src/format/cpf.ts';
import { formatDuration } from '../../renderer/src/format/duration.ts';
import { daysUntil, formatAgo, formatSize, shortenHex } from '../../renderer/src/format/format.ts';
import { siteName } from '../../renderer/src/format/site-name.ts';
import { formatTaxpayer, isTaxpayerNumber } from '../../renderer/src/format/taxpayer.ts';
import { isValidCpf, maskTaxpayerNumber } from '../../src/text/taxpayer-number.ts';
import { en } from '../../renderer/src/i18n/en/index.ts';
import { ptBr } from '../../renderer/src/i18n/pt-br/index.ts';
import type { ServiceErrorCode } from '../../src/service/errors/index.ts';
import type { DriverProblem, SigningErrorCode } from '../../src/signing/index.ts';
import { AUDIT_KINDS } from '../../src/service/audit/audit.ts';

interface Texts {
  readonly [key: string]: string | Texts;
}

function flatten(texts: Texts, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') found.set(path + key, value);
    else for (const [inner, text] of flatten(value, `${path}${key}.`)) found.set(inner, text);
  }
  return found;
}

const placeholders = (text: string): readonly string[] => (text.match(/\{\{\w+\}\}/g) ?? []).sort();

describe('the texts of both languages', () => {
  const english = flatten(en);
  const portuguese = flatten(ptBr);

  it('have the same keys, with the form for millions in Portuguese besides', () => {
    const plain = [...portuguese.keys()].filter((key) => !key.endsWith('_many'));
    const lacking = (keys: Iterable<string>, others: Iterable<string>): readonly string[] => {
      const known = new Set(others);
      return [...keys].filter((key) => !known.has(key));
    };
    expect(lacking(english.keys(), plain), 'texts that renderer/src/i18n/pt-br lacks').toEqual([]);
    expect(lacking(plain, english.keys()), 'texts that renderer/src/i18n/en lacks').toEqual([]);
    const plurals = [...english.keys()].filter((key) => key.endsWith('_other'));
    expect(plurals.filter((key) => !portuguese.has(key.replace(/_other$/, '_many')))).toEqual([]);
  });

  it('name everything that the audit log may tell of', () => {
    expect(Object.keys(en.operation.audit.kinds)).toEqual([...AUDIT_KINDS]);
  });

  it('have the same placeholders, and none is empty', () => {
    for (const [key, text] of portuguese) {
      const other = english.get(key.replace(/_many$/, '_other')) ?? '';
      expect({ key, names: placeholders(text) }).toEqual({ key, names: placeholders(other) });
      expect(text.trim()).not.toBe('');
    }
  });
});

describe('the texts of errors', () => {
  it('cover every code of the core in both languages, with sentences of their own', () => {
    const english: Record<ServiceErrorCode | SigningErrorCode | DriverProblem, string> = en.errors;
    const portuguese: Record<keyof typeof en.errors, string> = ptBr.errors;
    for (const [code, sentence] of Object.entries(english)) {
      const other = portuguese[code as keyof typeof en.errors];
      expect({ code, said: [sentence, other].every((text) => /\w.*\.$/.test(text)) }).toEqual({ code, said: true });
      expect(other).not.toBe(sentence);
    }
    expect(Object.keys(portuguese).toSorted()).toEqual(Object.keys(english).toSorted());
  });
});

describe('a CPF', () => {
  it.each([
    ['529.982.247-25', true],
    ['52998224725', true],
    ['11144477735', true],
    ['52998224726', false],
    ['52998224715', false],
    ['11111111111', false],
    ['5299822472', false],
    ['', false],
  ])('%s is valid: %s', (text, valid) => {
    expect(isValidCpf(text)).toBe(valid);
  });

  it('is grouped while it is typed, and takes no more than its digits', () => {
    expect(['5', '5299', '5299822', '5299822472', '529982247259'].map(formatCpf)).toEqual([
      '5',
      '529.9',
      '529.982.2',
      '529.982.247-2',
      '529.982.247-25',
    ]);
  });
});

describe('a CPF or CNPJ', () => {
  it.each([
    ['529.982.247-25', true, '529.982.247-25', '***.982.247-**'],
    ['52998224726', false, '529.982.247-26', '***.982.247-**'],
    ['12abc34501de35', true, '12.ABC.345/01DE-35', '**.ABC.345/****-**'],
    ['12.ABC.345/01DE-36', false, '12.ABC.345/01DE-36', '**.ABC.345/****-**'],
    ['11.222.333/0001-81', true, '11.222.333/0001-81', '**.222.333/****-**'],
    ['11222333000180', false, '11.222.333/0001-80', '**.222.333/****-**'],
    ['12ABC34501DEA5', false, '12.ABC.345/01DE-A5', '***'],
    ['00000000000000', false, '00.000.000/0000-00', '**.000.000/****-**'],
    ['ABCDEFGHIJK', false, 'AB.CDE.FGH/IJK', '***'],
    ['', false, '', '***'],
  ])('%s is valid: %s, is written %s and masked %s', (text, valid, written, masked) => {
    expect([isTaxpayerNumber(text), formatTaxpayer(text), maskTaxpayerNumber(text)]).toEqual([valid, written, masked]);
  });
});

describe('the name of a site', () => {
  it.each([
    ['https://exemplo.com', '', 'exemplo.com', ''],
    ['https://portal.exemplo.com', 'portal.', 'exemplo.com', ''],
    ['https://a.b.exemplo.com.br:8443', 'a.b.', 'exemplo.com.br', ':8443'],
    ['https://pje.trt2.jus.br', 'pje.', 'trt2.jus.br', ''],
    ['https://tribunal.jus.br.malvado.net', 'tribunal.jus.br.', 'malvado.net', ''],
    ['https://alguem.github.io', '', 'alguem.github.io', ''],
    ['http://127.0.0.1:8080', '', '127.0.0.1', ':8080'],
    ['http://[::1]:8080', '', '[::1]', ':8080'],
    ['http://localhost', '', 'localhost', ''],
  ])('%s stands out in the part somebody registered', (origin, before, domain, port) => {
    expect(siteName(origin)).toEqual({ before, domain, port });
  });
});

describe('numbers and dates', () => {
  it.each([
    [0, 'en', '0 bytes'],
    [999, 'en', '999 bytes'],
    [1_400_000, 'pt-BR', '1,4 MB'],
    [15_360_000_000, 'en', '15 GB'],
  ])('%d bytes in %s are %s', (bytes, language, text) => {
    expect(formatSize(bytes, language).replaceAll('\u00a0', ' ')).toBe(text);
  });

  it.each([
    [3600, 'pt-BR', '1 hora'],
    [5400, 'en', '90 minutes'],
    [604_800, 'en', '7 days'],
    [61, 'pt-BR', '61 segundos'],
  ])('%d seconds in %s are %s', (seconds, language, text) => {
    expect(formatDuration(seconds, language)).toBe(text);
  });

  it('tell how long ago something was, and its day from a week on', () => {
    const now = Date.parse('2026-11-20T12:00:00Z');
    const ago = (instant: string): string => formatAgo(instant, now, 'en');
    expect(['2026-11-20T11:59:50Z', '2026-11-20T11:55:00Z', '2026-11-19T10:00:00Z'].map(ago)).toEqual([
      'now',
      '5 minutes ago',
      'yesterday',
    ]);
    expect(ago('2026-11-01T12:00:00Z')).toBe('Nov 1, 2026');
    expect(daysUntil('2026-11-21T11:00:00Z', now)).toBe(0);
  });

  it('shorten a digest to its ends', () => {
    expect(shortenHex('0123456789abcdef'.repeat(4))).toBe('0123456789…89abcdef');
  });
});
