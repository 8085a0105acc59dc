import { describe, expect, it } from 'vitest';
import { parseObjectAddress, parseObjectUrl } from '../../../src/service/stores/object-address.ts';
import { placeResult } from '../../../src/service/transactions/documents/object-documents.ts';

describe('the address of an object', () => {
  it.each([
    ['s3', 'papers/a.pdf', 'papers', 'a.pdf'],
    ['s3', 's3://papers/a/b c+d%20é.pdf', 'papers', 'a/b c+d%20é.pdf'],
    ['s3', 'S3://papers/a.pdf', 'papers', 'a.pdf'],
    ['gcs', 'gs://my.bucket_1/a.pdf', 'my.bucket_1', 'a.pdf'],
  ] as const)('of kind %s is read: %s', (kind, text, bucket, key) => {
    expect(parseObjectAddress(text, kind)).toEqual({ kind, bucket, key });
  });

  it.each([
    ['s3', 'gs://papers/a.pdf'],
    ['gcs', 's3://papers/a.pdf'],
    ['s3', ''],
    ['s3', 'papers'],
    ['s3', 'papers/'],
    ['s3', '/papers/a.pdf'],
    ['s3', 'Papers/a.pdf'],
    ['s3', 'papers/../other/a.pdf'],
    ['s3', 'papers/a/./b'],
    ['s3', 'papers//a'],
    ['s3', 'papers/a/'],
    ['s3', 'papers/a\\..\\b'],
    ['s3', 'papers/a\nb'],
    ['s3', `papers/${'é'.repeat(513)}`],
    ['s3', 'papers/\ud800'],
    ['s3', 'https://papers/a.pdf'],
  ] as const)('of kind %s is refused: %j', (kind, text) => {
    expect(parseObjectAddress(text, kind)).toBeUndefined();
  });
});

describe('the place of a result', () => {
  const place = { kind: 's3', bucket: 'papers', prefix: 'out/' } as const;
  const result = { type: 'PAdES', id: '0', originalFileName: 'contract.pdf', destinationFileName: null } as const;
  const source = { kind: 's3', bucket: 'other', key: 'in/2026/scan.pdf' } as const;

  it.each([
    ['by its name in the first store', {}, 's3://papers/out/contract-signed.pdf', 'contract-signed.pdf'],
    ['by its id where it has no name', { originalFileName: null }, 's3://papers/out/0-signed.pdf', '0-signed.pdf'],
    ['beside its original', { source }, 's3://other/in/2026/contract-signed.pdf', 'contract-signed.pdf'],
    ['by the name that is given', { source, destinationFileName: 'x/y.pdf' }, 's3://papers/out/x/y.pdf', 'x/y.pdf'],
    ['at the address that is given', { destinationFileName: 's3://b-1/y.pdf' }, 's3://b-1/y.pdf', 's3://b-1/y.pdf'],
  ])('is found %s', (_name, fields, destinationUrl, destinationFileName) => {
    const placed = placeResult(place, { ...result, ...fields }, 'source' in fields ? fields.source : undefined);
    expect(placed).toEqual({ destinationUrl, destinationFileName });
    expect(parseObjectUrl(placed.destinationUrl)?.kind).toBe('s3');
  });

  it.each(['gs://papers/x.pdf', '../x.pdf', '/x.pdf', 'x/'])('is refused at %s', (destinationFileName) => {
    expect(() => placeResult(place, { ...result, destinationFileName })).toThrow(
      expect.objectContaining({ code: 'REQUEST_INVALID' }),
    );
  });
});
