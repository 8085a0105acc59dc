import { describe, expect, it } from 'vitest';
import { Chance } from '../fuzz/mutate.ts';
import { RecordedDisk, type Recorded } from './disk-after-power-loss.ts';

describe('a recorded disk after a loss of power', () => {
  const entry = (kind: Recorded['kind'], rest: Partial<Recorded>): Recorded => ({
    kind,
    inode: 0,
    at: 0,
    path: '',
    other: '',
    data: Buffer.alloc(0),
    end: 0,
    ...rest,
  });
  const [ROOT, DRAFT] = [1, 2];
  const written = [
    entry('create', { path: '/d/draft', inode: DRAFT }),
    entry('write', { inode: DRAFT, data: Buffer.from('signed') }),
  ];
  const flushed = (inode: number, number: number): readonly Recorded[] => [
    entry('flush', { inode, at: number }),
    entry('flushed', { inode, at: number }),
  ];
  const renamed = entry('rename', { path: '/d/draft', other: '/d/result' });
  const textsAfter = (entries: readonly Recorded[]) => {
    const disk = new RecordedDisk('/d', ROOT);
    for (const one of entries) disk.play(one);
    const found = disk.contentAfterLoss('nothing', new Chance(1));
    return Object.fromEntries([...found].map(([path, bytes]) => [path, bytes?.toString()]));
  };

  it.each<[string, readonly Recorded[], Readonly<Record<string, string>>]>([
    ['holds nothing that was not flushed', [...written, renamed], {}],
    ['has lost a file whose folder was not flushed', [...written, ...flushed(DRAFT, 1), renamed], {}],
    ['has the name of a file and not its content', [...written, renamed, ...flushed(ROOT, 1)], { '/d/result': '' }],
    [
      'holds a file that was flushed before its folder',
      [...written, ...flushed(DRAFT, 1), renamed, ...flushed(ROOT, 2)],
      { '/d/result': 'signed' },
    ],
    [
      'has the earlier name when the rename came after the flush',
      [...written, ...flushed(DRAFT, 1), ...flushed(ROOT, 2), renamed],
      { '/d/draft': 'signed' },
    ],
    [
      'does not count what was written after a flush had begun',
      [
        entry('create', { path: '/d/draft', inode: DRAFT }),
        entry('flush', { inode: DRAFT, at: 1 }),
        entry('write', { inode: DRAFT, data: Buffer.from('signed') }),
        entry('flushed', { inode: DRAFT, at: 1 }),
        ...flushed(ROOT, 2),
      ],
      { '/d/draft': '' },
    ],
  ])('%s', (_state, entries, expected) => {
    expect(textsAfter(entries)).toEqual(expected);
  });
});
