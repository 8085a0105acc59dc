import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MOST_UNANSWERED } from '../../src/http/listeners/limit-pipelining.ts';
import { usualConnectionLimits } from '../../src/http/peer/limit-connections.ts';
import { LEAST_SPEED } from '../../src/http/signing-service/least-speed.ts';
import { defaultLimits } from '../../src/service/transactions/limits.ts';
import { defaultWorkerLimits } from '../../src/signing/workers/worker-pool.ts';
import { DEFAULT_PKCS12_LIMITS } from '../../src/signing/keys/pkcs12/limits.ts';

const inventory = readFileSync(new URL('../../docs/cryptography.md', import.meta.url), 'utf8');
/** The limit told by the inventory, without commas in numbers. */
const toldOf = (what: string): string => {
  const row = inventory.split('\n').find((line) => line.startsWith(`| ${what} `));
  return (row?.split('|')[2] ?? 'no such row').trim().replaceAll(/(\d),(\d{3})/g, '$1$2');
};
const MEBIBYTE = 2 ** 20;
const { all, unidentified, unasked, strangers, strangersPerSecond } = usualConnectionLimits;
const {
  documentsPerTransaction,
  uploadsAtOnce,
  uploadsAtOncePerOwner,
  uploadWait,
  documentsHeld,
  documentsHeldPerOwner,
  documentsAtOnceOverall,
  documentsAtOncePerOwner,
  smallDocumentsAtOnceOverall,
  smallDocumentsAtOncePerOwner,
  smallDocumentsAtOnceBesideOthers,
} = defaultLimits;

describe('the inventory of limits', () => {
  it.each([
    ['Connections to the listener', [all, unidentified, unasked]],
    ['Connections of other users', [strangers, strangersPerSecond, 2 * strangersPerSecond]],
    ['Unanswered requests of a connection', [MOST_UNANSWERED]],
    ['Documents of a transaction', [documentsPerTransaction]],
    ['Uploads under way', [uploadsAtOnce, uploadsAtOncePerOwner, uploadWait / 1000]],
    ['An upload', [LEAST_SPEED.bytes / 1024, LEAST_SPEED.milliseconds / 1000]],
    ['Approved documents that wait', [documentsHeld, documentsHeldPerOwner]],
    [
      'Documents being signed',
      [
        documentsAtOnceOverall,
        documentsAtOncePerOwner,
        smallDocumentsAtOnceOverall,
        smallDocumentsAtOncePerOwner,
        smallDocumentsAtOnceBesideOthers,
      ],
    ],
    [
      'A thread for files',
      [defaultWorkerLimits.memory, defaultWorkerLimits.time / 1000, 1, 4, defaultWorkerLimits.idleMemory],
    ],
    [
      'A PKCS#12 file',
      [
        DEFAULT_PKCS12_LIMITS.maxBytes / MEBIBYTE,
        DEFAULT_PKCS12_LIMITS.maxIterations / 1e6,
        DEFAULT_PKCS12_LIMITS.maxBags,
      ],
    ],
  ] as const)('tells the limits of the code: %s', (what, numbers) => {
    expect(toldOf(what).match(/\d+/g)?.map(Number)).toEqual(numbers);
  });
});
