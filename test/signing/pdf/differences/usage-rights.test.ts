import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendRevision, buildPdf, onePage } from '../build-pdf.ts';
import { Workshop } from '../workshop.ts';
import { bodyOf, factsOf } from './contract.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

const METHOD = '/Reference [<</Type /SigRef /TransformMethod /UR3 /TransformParams <</Type /TransformParams>>>>]';
/** A range with room for the numbers of the file. */
const RANGE = '/ByteRange [0 111111 222222 333333]';

/** A Reader-extended document: its catalog leads to a signature of usage rights, whose range covers the whole file. */
function extended({ key = 'UR3', method = METHOD, permissions = `/Perms <</${key} 60 0 R>>` } = {}): Buffer {
  const file = buildPdf(
    onePage({
      1: `<</Type /Catalog /Pages 2 0 R ${permissions}>>`,
      60: `<</Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached ${RANGE} ${method} /Contents <3003020101>>>`,
    }),
  );
  const hole = file.indexOf('<3003020101>');
  const behind = hole + '<3003020101>'.length;
  const range = `/ByteRange [0 ${hole} ${behind} ${file.length - behind}]`;
  file.write(range.padEnd(RANGE.length), file.indexOf(RANGE), 'latin1');
  return file;
}

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
    ['by the method UR of old programs', { key: 'UR', method: METHOD.replace('UR3', 'UR') }],
    ['by its permissions alone', { method: '' }],
    ['whose permissions are gone', { permissions: '' }],
  ])('has no signature when it is extended %s', async (_, options) => {
    expect(await told(await workshop.write(extended(options)))).toEqual({ signatures: [], problems: ['USAGE_RIGHTS'] });
  });

  it('has one signature after it was signed, and two after it was signed again', async () => {
    const one = await workshop.sign(await workshop.write(extended()));
    expect(await told(one.path)).toEqual({ signatures: ['Signature1 good'], problems: ['USAGE_RIGHTS'] });
    const two = await workshop.sign(one.path);
    expect(await told(two.path)).toEqual({
      signatures: ['Signature1 good', 'Signature2 good'],
      problems: ['USAGE_RIGHTS'],
    });
  });

  it('keeps its signatures valid when the usage rights are removed', async () => {
    const { path } = await workshop.sign(await workshop.write(extended()));
    const file = await readFile(path);
    const catalog = bodyOf(file, 1).replace(/\/Perms <<[^>]*>>\s*/, '');
    const removed = await workshop.write(appendRevision(file, { 1: catalog }));
    expect((await told(removed)).signatures).toEqual(['Signature1 good']);
  });
});

describe('the signature of a person', () => {
  it.each([
    ['its own methods are others', METHOD.replace('UR3', 'DocMDP')],
    ['it has no method', ''],
  ])('is not hidden by permissions of a later version when %s', async (_, method) => {
    const file = extended({ method, permissions: '' });
    const hiding = appendRevision(file, { 1: '<</Type /Catalog /Pages 2 0 R /Perms <</UR3 60 0 R>>>>' });
    expect((await told(await workshop.write(hiding))).signatures).toEqual(['SIGNATURE_UNREACHABLE']);
  });
});
