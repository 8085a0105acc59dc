import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ChangeHub, JobRunner } from '../../../src/service/transactions/schedule/job-runner.ts';
import { parseDataUrl } from '../../../src/service/transactions/documents/data-url.ts';
import { resultFileName } from '../../../src/service/signature-types/index.ts';
import { plainFileName } from '../../../src/service/transactions/documents/file-names.ts';
import { GroupCommit } from '../../../src/service/transactions/schedule/group-commit.ts';
import { describeSize } from '../../../src/service/space/room.ts';
import { shortTcn } from '../../../src/service/monitoring/correlation.ts';
import { newTcn } from '../../../src/service/transactions/intake/create.ts';
import type { TransactionChange } from '../../../src/service/transactions/index.ts';
import { until } from '../../setup/waits.ts';

describe('a TCN', () => {
  it('is 26 characters, each time others, and shown only in part', () => {
    const tcns = Array.from({ length: 1000 }, newTcn);
    expect(new Set(tcns).size).toBe(1000);
    expect(tcns.every((tcn) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(tcn))).toBe(true);
    expect(shortTcn('ABCDEFGHJKMNPQRSTVWXYZ0123')).toBe('ABCDEF…');
  });
});

describe('a data URL', () => {
  const rows: readonly [string, string | undefined, string | undefined][] = [
    ['data:text/plain;base64,aGVsbG8=', 'text/plain', 'hello'],
    ['data:text/plain;base64,aGVsbG8', 'text/plain', 'hello'],
    ['data:text/plain;base64,aGVs bG8=\r\n', 'text/plain', 'hello'],
    ['data:text/plain;base64,aGVsbG8%3D', 'text/plain', 'hello'],
    ['DATA:application/pdf;BASE64,aGVsbG8=', 'application/pdf', 'hello'],
    ['data:,a%20b%C3%A7', 'text/plain;charset=US-ASCII', 'a bç'],
    ['data:;charset=utf-8,ç', 'text/plain;charset=utf-8', 'ç'],
    ['data:text/plain;charset=utf-8;base64,w6c=', 'text/plain;charset=utf-8', 'ç'],
    ['data:,', 'text/plain;charset=US-ASCII', ''],
    ['data:text/plain;base64,a', undefined, undefined],
    ['data:text/plain;base64,a=b=', undefined, undefined],
    ['data:text/plain;base64,aGVs*G8=', undefined, undefined],
    ['data:text/plain;base64,aGVsbG8*', undefined, undefined],
    ['data:text/plain;base64,aGVsbG8ç', undefined, undefined],
    ['data:text/plain;base64,aGVsbG8=aGVsbG8=', undefined, undefined],
    ['data:text/plain;base64,aGVsbG8===', undefined, undefined],
    ['data:text/plain;base64,-_-_', undefined, undefined],
    ['data:text/plain;base64,', 'text/plain', ''],
    ['data:text/plain,50%', undefined, undefined],
    ['data:no type,x', undefined, undefined],
    ['data:text/plain;base64', undefined, undefined],
    ['http://x/,y', undefined, undefined],
  ];
  it.each(rows)('%j holds %j with %j', (url, mediaType, content) => {
    const parsed = parseDataUrl(url);
    expect(parsed?.mediaType).toBe(mediaType);
    expect(parsed?.content.toString()).toBe(content);
  });
});

describe('file names', () => {
  it.each([
    ['contract.pdf', 'PAdES', 'contract-signed.pdf'],
    ['CONTRACT.PDF', 'PDFSignature', 'CONTRACT-signed.pdf'],
    ['contract.txt', 'CAdES-attached', 'contract.txt.p7m'],
    ['contract.pdf', 'CMS-detached', 'contract.pdf.p7s'],
  ] as const)('%s signed as %s is %s', (name, type, result) => {
    expect(resultFileName(name, type)).toBe(result);
  });

  it.each([
    ['C:\\folder\\a.txt', 'a.txt'],
    ['../../a.txt', 'a.txt'],
    ['a\r\n.txt', 'a.txt'],
    ['petição.pdf', 'petição.pdf'],
    ['..', undefined],
    ['folder/', undefined],
    ['', undefined],
  ])('%j is kept as %j', (name, plain) => {
    expect(plainFileName(name)).toBe(plain);
  });

  it.each([
    [2 ** 31, '2 GiB'],
    [1.5 * 2 ** 20, '1.5 MiB'],
    [512, '512 bytes'],
  ])('a limit of %d bytes is called %s', (bytes, text) => {
    expect(describeSize(bytes)).toBe(text);
  });
});

describe('GroupCommit', () => {
  const entry = (key: string) => ({
    tcn: `tcn of ${key}`,
    changes: [{ kind: 'document-failed', key, error: { code: 'INTERNAL', detail: '' } }] as TransactionChange[],
    publish: key,
  });

  let failures = 0;
  const counted = {
    signed: () => undefined,
    failed() {
      failures++;
    },
    tookOver: () => undefined,
  };
  beforeEach(() => void (failures = 0));

  it('publishes before the commit, commits together, and announces afterwards', async () => {
    const order: string[] = [];
    const commits = new GroupCommit({
      transactions: {
        apply: (changes, _at, claims = []) =>
          Promise.resolve(void order.push(`apply ${changes.length} under ${claims.map(({ tcn }) => tcn).join()}`)),
      },
      documents: { publishResults: (keys) => Promise.resolve(void order.push(`publish ${keys.join()}`)) },
      now: () => new Date(),
      announce: (tcn) => void order.push(tcn),
      jobs: { claimOf: (tcn) => (tcn.endsWith('b') ? { tcn, node: 'this', number: 1 } : undefined) },
      work: counted,
    });
    await Promise.all(['a', 'b', 'c'].map((key) => commits.add(entry(key))));
    expect(order).toEqual(['publish a,b,c', 'apply 3 under tcn of b', 'tcn of a', 'tcn of b', 'tcn of c']);
  });

  it('does not let a bad entry harm the others', async () => {
    const applied: number[] = [];
    const bad = (changes: readonly TransactionChange[]) =>
      changes.some((change) => 'key' in change && change.key === 'b');
    const commits = new GroupCommit({
      transactions: {
        apply: (changes) =>
          bad(changes) ? Promise.reject(new Error('bad')) : Promise.resolve(void applied.push(changes.length)),
      },
      documents: { publishResults: () => Promise.resolve() },
      now: () => new Date(),
      announce: () => undefined,
      jobs: { claimOf: () => undefined },
      work: counted,
    });
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((key) => commits.add(entry(key))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(applied).toEqual([1, 1]);
    // Nothing is counted before its storing.
    expect(failures).toBe(2);
  });
});

describe('JobRunner', () => {
  it('runs a job once more when asked during a run, never twice at once', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let runs = 0;
    let running = 0;
    const runner = new JobRunner(async () => {
      expect(++running).toBe(1);
      runs++;
      await promise;
      running--;
      return 'done';
    }, 1);
    runner.start('a');
    runner.start('a');
    runner.start('a');
    resolve(undefined);
    await expect.poll(() => runs).toBe(2);
    await runner.close();
    runner.start('a');
    expect(runs).toBe(2);
  });

  it('pauses longer after each refusal of a store', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    let runs = 0;
    const runner = new JobRunner(() => Promise.resolve(++runs < 4 ? 'again' : 'done'), 21);
    runner.start('a');
    await until(() => runs === 4, 'the fourth run');
    const pauses = timers.mock.calls.map(([, delay]) => delay ?? 0).filter((delay) => delay > 0 && delay % 21 === 0);
    expect(pauses).toEqual([21, 42, 84]);
    await runner.close();
  });

  it('begins with the first pause again after a run with finished documents', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const outcomes = ['again', 'again', 'again-soon', 'again', 'done'] as const;
    let runs = 0;
    const runner = new JobRunner(() => Promise.resolve(outcomes[runs++] ?? 'done'), 23);
    runner.start('a');
    await until(() => runs === 5, 'the fifth run');
    const pauses = timers.mock.calls.map(([, delay]) => delay ?? 0).filter((delay) => delay > 0 && delay % 23 === 0);
    expect(pauses).toEqual([23, 46, 23, 46]);
    await runner.close();
  });
});

describe('ChangeHub', () => {
  it('wakes only the watchers of the transaction', async () => {
    const hub = new ChangeHub();
    const other = hub.watch('b', 60_000);
    const watch = hub.watch('a', 60_000);
    hub.announce('a');
    await watch.changed;
    const late = await Promise.race([other.changed.then(() => 'woken'), Promise.resolve('asleep')]);
    expect(late).toBe('asleep');
    other.stop();
  });
});
