import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ContentIntake, type IntakeChoice } from '../../../../src/service/transactions/content/content-intake.ts';
import type { SmallDocument } from '../../../../src/service/transactions/stores.ts';
import { defaultLimits } from '../../../../src/service/transactions/limits.ts';

type Needs = ConstructorParameters<typeof ContentIntake>[0];

/** An intake of small documents, and its stored documents. */
function openIntake(): { readonly intake: ContentIntake; readonly stored: SmallDocument[] } {
  const stored: SmallDocument[] = [];
  const documents = { keep: () => Promise.resolve() } as unknown as Needs['documents'];
  const smallDocuments = {
    keepOriginals: (some: readonly SmallDocument[]) => Promise.resolve(void stored.push(...some)),
  } as unknown as Needs['smallDocuments'];
  const choice: IntakeChoice = {
    type: 'CAdES-detached',
    policy: 'AD-RB',
    digest: 'sha256',
    destination: 'LOCAL',
    approval: 'required',
    certificate: undefined,
    bytesTogether: 2 ** 20,
    came: () => Promise.resolve(),
  };
  return { intake: new ContentIntake({ documents, smallDocuments, limits: defaultLimits }, choice), stored };
}

async function* chunksOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

describe('ContentIntake', () => {
  it('stores a document of several chunks in one piece', async () => {
    const { intake, stored } = openIntake();
    const received = await intake.receive('key', chunksOf(Buffer.from('one '), Buffer.from('two')));
    await intake.keep();
    expect(stored.map(({ bytes }) => bytes.toString())).toEqual(['one two']);
    expect(received).toMatchObject({ size: 7, checksum: hash('sha256', 'one two', 'hex') });
  });

  it('holds no more memory than a small document has, although its chunk is a slice of a larger chunk', async () => {
    const { intake, stored } = openIntake();
    const network = Buffer.alloc(65_536, 'x');
    await intake.receive('slice', chunksOf(network.subarray(100, 110)));
    await intake.keep();
    expect(stored.map(({ bytes }) => bytes.toString())).toEqual(['xxxxxxxxxx']);
    expect(stored.every(({ bytes }) => bytes.buffer !== network.buffer)).toBe(true);
  });
});
