import { describe, expect, it } from 'vitest';
import {
  DEFAULT_STAMP_TEMPLATE,
  formatStampDate,
  layoutTitled,
  stampText,
  usesVariable,
} from '../../../src/signing/pdf/appearance/stamp-text.ts';

const TIME = new Date('2026-11-20T10:20:30.999Z');

describe('stampText', () => {
  it('fills in what is known and leaves out the lines of what is not', () => {
    const values = { name: 'Ana', cpf: '529.982.247-25', signingTime: TIME, timeZone: 'America/Sao_Paulo' };
    expect(stampText(DEFAULT_STAMP_TEMPLATE, values).split('\n')).toEqual([
      'Assinado digitalmente por',
      'Ana',
      'CPF: ***.982.247-**',
      'Data: 20/11/2026 07:20:30 (UTC-3)',
    ]);
  });

  it('masks both taxpayer numbers and lists the extra lines', () => {
    const values = {
      name: 'Ana',
      company: 'Sol Ltda.',
      cnpj: '11.222.333/0001-81',
      reason: 'Aprovo',
      location: 'Recife',
      extraInfo: [
        { label: 'OAB', value: '123' },
        { label: '', value: 'PE' },
      ],
      signingTime: TIME,
    };
    const text = stampText('{{ name }} {company} {cnpj}\n{reason}, {location}\n{extra_info}', values);
    expect(text).toBe('Ana Sol Ltda. **.222.333/****-**\nAprovo, Recife\nOAB: 123\nPE');
  });

  it('keeps unknown names, and never reads a value as a template', () => {
    const values = { name: '{cpf} $& {{reason}}', cpf: '52998224725', reason: 'x', signingTime: TIME };
    expect(stampText('{name} {other} {}', values)).toBe('{cpf} $& {{reason}} {other} {}');
  });
});

describe('the page to check a signature', () => {
  it('is a line of its own, and no line without a page', () => {
    const values = { name: 'Ana', checkPage: 'validar.iti.gov.br', signingTime: TIME };
    expect(stampText('{nome}\n{verificar}\n{qr}', values)).toBe('Ana\nVerifique em validar.iti.gov.br');
    expect(stampText('{nome}\n{check}', { ...values, checkPage: undefined })).toBe('Ana');
  });

  it('gets a code to scan from a template that names the code', () => {
    expect(usesVariable('{name}\n{{ qr }}', 'qr')).toBe(true);
    expect(usesVariable('{name} qr', 'qr')).toBe(false);
  });
});

describe('a stamp with a title', () => {
  const measure = (text: string): number => text.length * 0.55;
  const lines = ['Assinado digitalmente por', 'ANA BEATRIZ LIMA', 'CPF: ***.982.247-**'];

  it('has the title larger than the other lines, alone on its line', () => {
    const [caption, title, number] = layoutTitled(measure, lines, 'ANA BEATRIZ LIMA', { width: 220, height: 70 });
    expect([caption?.text, title?.text, number?.text]).toEqual(lines);
    expect(title?.size).toBeGreaterThan((caption?.size ?? 0) * 1.2);
  });

  it('fits a long name to the width before breaking it', () => {
    const name = 'MARIA APARECIDA DOS SANTOS CAVALCANTI';
    const set = layoutTitled(measure, ['Assinado por', name], name, { width: 180, height: 70 });
    expect(set.map(({ text }) => text)).toEqual(['Assinado por', name]);
    const narrow = layoutTitled(measure, ['Assinado por', name], name, { width: 90, height: 70 });
    expect(narrow.length).toBeGreaterThan(2);
    expect(narrow.every(({ text, size }) => measure(text) * size <= 90.2)).toBe(true);
  });
});

describe('initials', () => {
  it.each([
    ['Maria Silva dos Santos', 'MSS'],
    ['João de Deus e Souza', 'JDS'],
    ['álvaro', 'Á'],
    ['', ''],
  ])('of %j are %j', (name, expected) => {
    expect(stampText('{initials}', { name, signingTime: new Date(0) })).toBe(expected);
  });
});

describe('formatStampDate', () => {
  it.each([
    ['UTC', '20/11/2026 10:20:30 (UTC)'],
    ['Asia/Kathmandu', '20/11/2026 16:05:30 (UTC+5:45)'],
    ['America/St_Johns', '20/11/2026 06:50:30 (UTC-3:30)'],
  ])('writes the time in %s with its distance to UTC', (zone, text) => {
    expect(formatStampDate(TIME, zone)).toBe(text);
  });
});
