import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendRevision } from '../build-pdf.ts';
import { readerExtended, USAGE_RIGHTS_METHOD } from '../reader-extended.ts';
import { Workshop } from '../workshop.ts';
import { bodyOf, factsOf } from './contract.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

const told = async (
  path: string,
): Promise<{ readonly signatures: readonly string[]; readonly problems: readonly string[] }> => {
  const { signatures, problems } = await factsOf(path);
  return {
    signatures: signatures.map(
      ({ fieldName, problem, changesAllowed }) => problem?.code ?? `${fieldName} ${changesAllowed ? 'good' : 'bad'}`,
    ),
    problems: problems.map(({ code }) => code),
  };
};

describe('a Reader-extended document', () => {
  it.each([
    ['by the method UR3', {}],
    [
      'by the method UR of old programs',
      { permissions: '/Perms <</UR 60 0 R>>', method: USAGE_RIGHTS_METHOD.replace('UR3', 'UR') },
    ],
    ['by its permissions alone', { method: '' }],
    ['whose permissions are gone', { permissions: '' }],
  ])('has no signature when extended %s', async (_, options) => {
    expect(await told(await workshop.write(readerExtended(options)))).toEqual({
      signatures: [],
      problems: ['USAGE_RIGHTS'],
    });
  });

  it('has a signature after signing, and two signatures after signing again', async () => {
    const one = await workshop.sign(await workshop.write(readerExtended()));
    expect(await told(one.path)).toEqual({ signatures: ['Signature1 good'], problems: ['USAGE_RIGHTS'] });
    const two = await workshop.sign(one.path);
    expect(await told(two.path)).toEqual({
      signatures: ['Signature1 good', 'Signature2 good'],
      problems: ['USAGE_RIGHTS'],
    });
  });

  it('keeps its signatures valid when the usage rights are removed', async () => {
    const { path } = await workshop.sign(await workshop.write(readerExtended()));
    const file = await readFile(path);
    const catalog = bodyOf(file, 1).replace(/\/Perms <<[^>]*>>\s*/, '');
    const removed = await workshop.write(appendRevision(file, { 1: catalog }));
    expect((await told(removed)).signatures).toEqual(['Signature1 good']);
  });
});

describe('the signature of a person', () => {
  it.each([
    ['its own methods are others', USAGE_RIGHTS_METHOD.replace('UR3', 'DocMDP')],
    ['it has no method', ''],
  ])('is not hidden by permissions of a later version when %s', async (_, method) => {
    const file = readerExtended({ method, permissions: '' });
    const hiding = appendRevision(file, { 1: '<</Type /Catalog /Pages 2 0 R /Perms <</UR3 60 0 R>>>>' });
    expect((await told(await workshop.write(hiding))).signatures).toEqual(['SIGNATURE_UNREACHABLE']);
  });
});
