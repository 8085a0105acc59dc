import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  SigningError,
  WorkerPool,
  verifyPdf,
  type CmsSigner,
  type MaterialCollector,
  type WorkerLimits,
} from '../../../src/signing/index.ts';
import { writePkcs12 } from '../../../src/test-authority/index.ts';
import { personWith } from '../../pki/identities.ts';
import { letTimePass } from '../../setup/waits.ts';
import { buildPdf, onePage } from '../pdf/build-pdf.ts';
import { makePdfSigners } from '../pdf/signers.ts';
import { SIGNED_AT, ValidationWorld } from '../validation/validation-world.ts';

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error: unknown = await promise.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  return error instanceof SigningError ? error.code : String(error);
};

describe('WorkerPool', () => {
  const { pades } = makePdfSigners();
  let folder = '';
  let pool: WorkerPool;

  const usePool = (limits: Partial<WorkerLimits>): void => {
    pool = new WorkerPool(limits);
  };
  const sign = (name: string, signer: CmsSigner = pades, signal?: AbortSignal): Promise<unknown> =>
    pool.signPdf({
      inputPath: join(folder, 'original.pdf'),
      outputPath: join(folder, name),
      signer,
      options: { subFilter: 'ETSI.CAdES.detached', signingTime: new Date() },
      signal,
    });
  const exists = (name: string): Promise<boolean> =>
    access(join(folder, name)).then(
      () => true,
      () => false,
    );

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinete-workers-'));
    await writeFile(join(folder, 'original.pdf'), buildPdf(onePage()));
    usePool({ threads: 2 });
  });

  afterEach(async () => {
    await pool.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['refuse', true],
    ['accept', false],
  ] as const)('hands over the treatment of older evidence: %s', async (olderEvidence, mustBeNewer) => {
    const world = await ValidationWorld.open();
    const { timestamper } = world;
    const signature = await world.cms(await world.person(), 'B-T').signContent(Buffer.from('x'), SIGNED_AT);
    await writeFile(join(folder, 'signature.p7m'), signature);
    await sign('signed.pdf', world.cms(await world.person(), undefined, { omitSigningTime: true }));
    const terms: unknown[] = [];
    const collector: MaterialCollector = {
      collect: (_certificate, _known, _at, _signal, wanted) => {
        terms.push(wanted?.mustBeNewer);
        return Promise.reject(new SigningError('REVOCATION_UNKNOWN', 'Nobody answers.'));
      },
    };
    const more = { level: 'B-LT', timestamper, collector, olderEvidence } as const;
    const path = (name: string): string => join(folder, name);
    await expect(
      pool.raiseCms({ inputPath: path('signature.p7m'), outputPath: path('raised.p7m'), ...more }),
    ).rejects.toMatchObject({ code: 'REVOCATION_UNKNOWN' });
    await expect(
      pool.raisePdf({ inputPath: path('signed.pdf'), outputPath: path('raised.pdf'), ...more }),
    ).rejects.toMatchObject({ code: 'REVOCATION_UNKNOWN' });
    expect(terms).toEqual([mustBeNewer, mustBeNewer]);
  });

  it.each([
    ['keeps a thread that has used little memory', 96, 1],
    ['ends a thread whose heap has grown', 1, 3],
  ])('%s', async (_name, idleMemory, threads) => {
    usePool({ threads: 1, idleMemory });
    let started = 0;
    const count = (): void => {
      started += 1;
    };
    process.on('worker', count);
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) await sign(name);
    process.off('worker', count);
    expect(started).toBe(threads);
  });

  it('signs more PDFs than its threads, each with a key staying here', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `signed-${index}.pdf`);
    await Promise.all(names.map((name) => sign(name)));
    for (const name of names) {
      const { signatures } = await verifyPdf(join(folder, name));
      expect(signatures.map(({ cms }) => cms?.intact)).toEqual([true]);
    }
  });

  it("rejects with the code and sentence of the worker's error, and goes on with the next file", async () => {
    await writeFile(join(folder, 'original.pdf'), 'not a PDF');
    expect(await codeOf(sign('a.pdf'))).toBe('PDF_MALFORMED');
    await writeFile(join(folder, 'original.pdf'), buildPdf(onePage()));
    await sign('b.pdf');
    expect(await exists('b.pdf')).toBe(true);
  });

  it('rejects with the error of the signer and leaves no output', async () => {
    const refusing = { ...pades, signDigest: () => Promise.reject(new SigningError('PIN_REQUIRED', 'Type the PIN.')) };
    expect(await codeOf(sign('c.pdf', refusing))).toBe('PIN_REQUIRED');
    expect(await exists('c.pdf')).toBe(false);
  });

  it('does not count the time spent waiting for a signature', async () => {
    await pool.close();
    usePool({ threads: 1, time: 1500 });
    const slow: CmsSigner = {
      ...pades,
      async signDigest(digest, time) {
        await letTimePass(2000);
        return pades.signDigest(digest, time);
      },
    };
    await sign('d.pdf', slow);
    expect(await exists('d.pdf')).toBe(true);
  });

  it('gives up a file taking too long, removes the output and goes on in another thread', async () => {
    await pool.close();
    usePool({ threads: 1, time: 1, bytesPerMillisecond: Number.MAX_SAFE_INTEGER });
    expect(await codeOf(sign('e.pdf'))).toBe('LIMIT_EXCEEDED');
    expect(await exists('e.pdf')).toBe(false);
    expect(await codeOf(sign('f.pdf'))).toBe('LIMIT_EXCEEDED');
  });

  it('gives up a file needing more memory than a thread may use', async () => {
    await pool.close();
    usePool({ threads: 1, memory: 8 });
    expect(await codeOf(sign('g.pdf'))).toBe('LIMIT_EXCEEDED');
    expect(await exists('g.pdf')).toBe(false);
  });

  it('cancels when the caller has given up while the key is busy', async () => {
    const controller = new AbortController();
    const giveUp: CmsSigner = {
      ...pades,
      signDigest(digest, time) {
        controller.abort();
        return pades.signDigest(digest, time);
      },
    };
    expect(await codeOf(sign('h.pdf', giveUp, controller.signal))).toBe('CANCELLED');
    expect(await exists('h.pdf')).toBe(false);
  });

  it('reads PKCS#12 files, and tells a wrong password from damage', async () => {
    const { privateKey, certificate, chain } = await personWith();
    const file = await writePkcs12({ privateKey, certificate, chain }, 'open sesame');
    const { keys } = await pool.readPkcs12(file, 'open sesame');
    expect(keys.map((key) => key.certificate)).toEqual([certificate]);
    expect(Buffer.isBuffer(keys[0]?.privateKey)).toBe(true);
    expect(await codeOf(pool.readPkcs12(file, 'close sesame'))).toBe('PASSWORD_INCORRECT');
    expect(await codeOf(pool.readPkcs12(file.subarray(0, 100), 'open sesame'))).toBe('PKCS12_MALFORMED');
  });

  it('starts its threads from the compiled code of the process, so that no thread strips types', async () => {
    vi.stubEnv('NODE_COMPILE_CACHE', join(folder, 'compiled'));
    try {
      await sign('signed.pdf');
      await pool.close();
    } finally {
      vi.unstubAllEnvs();
    }
    const compiled = await readdir(join(folder, 'compiled'), { recursive: true });
    expect(compiled.length).toBeGreaterThan(100);
  });

  it('rejects waiting work on closing', async () => {
    await pool.close();
    expect(await codeOf(sign('i.pdf'))).toBe('CANCELLED');
    expect((await readFile(join(folder, 'original.pdf'))).length).toBeGreaterThan(0);
  });
});
