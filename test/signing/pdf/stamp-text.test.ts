import { describe, expect, it } from 'vitest';
import { DEFAULT_STAMP_TEMPLATE, formatStampDate, stampText } from '../../../src/signing/pdf/appearance/stamp-text.ts';

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
