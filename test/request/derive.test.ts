import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bodyShape, callShape, optionsOfBody, pickOptions } from '../../src/request/derive.ts';
import { requestOptions, settingOptions, type RequestOption } from '../../src/request/signature-request.ts';

const table = {
  kind: { required: true, schema: (zod) => zod.enum(['a', 'b']), body: { name: 'the_kind' } },
  size: {
    schema: (zod) => zod.number(),
    call: (zod) => zod.string().optional(),
    body: { name: 'size_text', schema: (zod) => zod.string().transform(Number).optional(), about: 'As text.' },
  },
  inside: { schema: (zod) => zod.string() },
} as const satisfies Readonly<Record<string, RequestOption>>;

describe('a table of options', () => {
  it('gives the fields of a body, by their names and in their form on the wire', () => {
    const body = z.object(bodyShape(z, table));
    expect(Object.keys(body.shape)).toEqual(['the_kind', 'size_text']);
    expect(body.shape.size_text.meta()).toEqual({ description: 'As text.' });
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
});

describe('the options of a request', () => {
  it('have one name each on the wire, in a call and on the command line', () => {
    const options = Object.values<RequestOption>({ ...requestOptions, ...settingOptions });
    const bodyNames = options.flatMap(({ body }) => (body === undefined ? [] : [body.name]));
    const flags = options.flatMap(({ command }) => (command === undefined ? [] : [command.flags]));
    expect(new Set(bodyNames).size).toBe(bodyNames.length);
    expect(new Set(flags).size).toBe(flags.length);
    expect(options).toHaveLength(Object.keys(requestOptions).length + Object.keys(settingOptions).length);
  });
});
