import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  bodyShape,
  callShape,
  misplacedOptions,
  optionsForType,
  optionsOfBody,
  pickOptions,
} from '../../src/request/derive.ts';
import { requestOptions, settingOptions, type RequestOption } from '../../src/request/signature-request.ts';
import { cadesTypes, nameTypes, pdfTypes, documentTypes } from '../../src/request/signature-types.ts';

const table = {
  kind: { types: documentTypes, required: true, values: ['a', 'b'], body: { name: 'the_kind' } },
  size: {
    types: cadesTypes,
    schema: (zod) => zod.number(),
    call: (zod) => zod.string().optional(),
    body: { name: 'size_text', schema: (zod) => zod.string().transform(Number).optional(), about: 'As text.' },
  },
  inside: { types: pdfTypes, otherTypes: 'ignored', schema: (zod) => zod.string() },
  page: { types: pdfTypes, otherTypes: 'Only PDFs have pages.', field: 'the_page', schema: (zod) => zod.number() },
} as const satisfies Readonly<Record<string, RequestOption>>;

describe('a table of options', () => {
  it('gives the fields of a body, by their names and in their form on the wire', () => {
    const body = z.object(bodyShape(z, table));
    expect(Object.keys(body.shape)).toEqual(['the_kind', 'size_text']);
    expect(body.shape.size_text.meta()).toEqual({ description: 'As text. CAdES and PAdES only.' });
    const read = body.parse({ the_kind: 'a', size_text: '12' });
    expect(optionsOfBody(table, read)).toStrictEqual({ kind: 'a', size: 12 });
    expect(optionsOfBody(table, body.parse({ the_kind: 'b' }))).toStrictEqual({ kind: 'b' });
  });

  it('gives the fields of a call, where only required options must be given', () => {
    const call = z.object(callShape(z, table));
    expect(call.parse({ kind: 'a' })).toEqual({ kind: 'a' });
    expect(call.parse({ kind: 'a', size: '12', inside: 'x' })).toEqual({ kind: 'a', size: '12', inside: 'x' });
    expect(call.safeParse({ size: '12' }).success).toBe(false);
  });

  it('picks its own options among other values', () => {
    expect(pickOptions(table, { kind: 'a', size: undefined, other: 1 })).toStrictEqual({ kind: 'a' });
  });

  it('gives a signature the options of its type only', () => {
    const values = { kind: 'a', size: 1, inside: 'x', page: 2, other: 1 };
    expect(optionsForType(table, values, 'PAdES')).toStrictEqual({ kind: 'a', size: 1, inside: 'x', page: 2 });
    expect(optionsForType(table, values, 'PDFSignature')).toStrictEqual({ kind: 'a', inside: 'x', page: 2 });
    expect(optionsForType(table, values, 'CAdES-detached')).toStrictEqual({ kind: 'a', size: 1 });
    expect(optionsForType(table, values, 'CMS-attached')).toStrictEqual({ kind: 'a' });
  });

  it('refuses or drops an option of other types, and refuses where the table says nothing', () => {
    const values = { kind: 'a', size: 1, inside: 'x', page: 2 };
    expect(misplacedOptions(table, values, 'PAdES')).toEqual([]);
    expect(misplacedOptions(table, values, 'CMS-attached')).toEqual([
      { field: 'size_text', refusal: 'Signatures of the types CAdES and PAdES have this option: leave it out.' },
      { field: 'inside', refusal: undefined },
      { field: 'the_page', refusal: 'Only PDFs have pages.' },
    ]);
  });

  it('says nothing about a false option, which asks for nothing', () => {
    expect(misplacedOptions(table, { inside: false, page: false }, 'CMS-attached')).toEqual([]);
  });
});

describe('the options of a request', () => {
  it('have one name each on the wire, in a call and on the command line', () => {
    const options = Object.values<RequestOption>({ ...requestOptions, ...settingOptions });
    const bodyNames = options.flatMap(({ body }) => (body === undefined ? [] : [body.name]));
    const flags = options.flatMap(({ command }) => (command === undefined ? [] : [command.flags]));
    expect(new Set(bodyNames).size).toBe(bodyNames.length);
    expect(new Set(flags).size).toBe(flags.length);
    expect(options.length).toBe(Object.keys(requestOptions).length + Object.keys(settingOptions).length);
  });
  it('give each closed set as values, which the window and the command line offer', () => {
    for (const [name, { values, schema }] of Object.entries<RequestOption>({ ...requestOptions, ...settingOptions })) {
      if (values === undefined) expect(schema(z), name).not.toBeInstanceOf(z.ZodEnum);
      else expect(new Set(values).size, name).toBe(values.length);
    }
  });
});

describe('the names of types in a sentence', () => {
  it.each([
    [pdfTypes, 'PDFSignature and PAdES'],
    [cadesTypes, 'CAdES and PAdES'],
    [documentTypes, 'CMS, CAdES, PDFSignature and PAdES'],
    [['CMS-attached'] as const, 'CMS'],
  ])('are %s: %s', (types, sentence) => {
    expect(nameTypes(types)).toBe(sentence);
  });
});
