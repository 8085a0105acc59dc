import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAllWithBouncyCastle } from '../../oracles/bouncy-castle.ts';
import { runProgram } from '../../oracles/run-program.ts';
import { craftCms, type CraftOptions } from './craft-cms.ts';
import { SIGNED_AT, ValidationWorld, codesOf, onlySignature } from './validation-world.ts';

const CONTENT = Buffer.from('what was signed');

interface Sample {
  readonly name: string;
  readonly signature: Buffer;
  readonly content: Buffer | undefined;
  readonly isIntact: boolean;
}

/** Flips a bit of the last byte, a part of the signature value. */
function withWrongValue(cms: Buffer): Buffer {
  const copy = Buffer.from(cms);
  copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1;
  return copy;
}

async function makeSamples(world: ValidationWorld): Promise<readonly Sample[]> {
  const [ec, rsa] = [await world.person(), await world.person({ keyKind: 'rsa-2048' })];
  const crafted = (options: CraftOptions = {}): Buffer => craftCms(ec, { content: CONTENT, ...options });
  const good = { content: undefined, isIntact: true };
  const bad = { content: undefined, isIntact: false };
  return [
    { name: 'EC', signature: await world.cms(ec).signContent(CONTENT, SIGNED_AT), ...good },
    { name: 'RSA', signature: await world.cms(rsa).signContent(CONTENT, SIGNED_AT), ...good },
    { name: 'with a time stamp', signature: await world.cms(rsa, 'B-T').signContent(CONTENT, SIGNED_AT), ...good },
    { name: 'with all material', signature: await world.cms(rsa, 'B-LTA').signContent(CONTENT, SIGNED_AT), ...good },
    { name: 'without attributes', signature: crafted({ withoutAttributes: true }), ...good },
    { name: 'detached', signature: crafted({ attached: false }), content: CONTENT, isIntact: true },
    {
      name: 'over other content',
      signature: crafted({ attached: false }),
      content: Buffer.from('other'),
      isIntact: false,
    },
    { name: 'with a wrong value', signature: withWrongValue(crafted()), ...bad },
    { name: 'with a wrong RSA value', signature: withWrongValue(craftCms(rsa, { content: CONTENT })), ...bad },
  ];
}

describe("the validator's verdict on integrity", () => {
  let folder = '';
  let world: ValidationWorld;
  let samples: readonly Sample[] = [];
  const pathOf = (index: number, kind: 'p7s' | 'bin'): string => join(folder, `${index}.${kind}`);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinete-oracles-'));
    world = await ValidationWorld.open();
    samples = await makeSamples(world);
    for (const [index, { signature, content }] of samples.entries()) {
      await writeFile(pathOf(index, 'p7s'), signature);
      if (content !== undefined) await writeFile(pathOf(index, 'bin'), content);
    }
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('agrees with the making', async () => {
    for (const { name, signature, content, isIntact } of samples) {
      const report = await world.validate(signature, { content });
      expect([name, codesOf(onlySignature(report)).includes('INTEGRITY_INTACT')]).toEqual([name, isIntact]);
      expect([name, report.indication]).toEqual([name, isIntact ? 'TOTAL-PASSED' : 'TOTAL-FAILED']);
    }
  });

  it('agrees with Bouncy Castle', async () => {
    const answers = await verifyAllWithBouncyCastle(
      samples.map(({ content }, index) => ({
        signature: pathOf(index, 'p7s'),
        content: content === undefined ? undefined : pathOf(index, 'bin'),
      })),
    );
    expect(answers).toEqual(samples.map(({ isIntact }) => [isIntact]));
  });

  it('agrees with OpenSSL', async () => {
    for (const [index, { name, content, isIntact }] of samples.entries()) {
      const options = ['cms', '-verify', '-inform', 'DER', '-binary', '-noverify', '-in', pathOf(index, 'p7s')];
      const detached = content === undefined ? [] : ['-content', pathOf(index, 'bin')];
      const { code } = await runProgram('openssl', [...options, ...detached, '-out', '/dev/null']);
      expect([name, code === 0]).toEqual([name, isIntact]);
    }
  });
});
