import { beforeAll, describe, expect, it } from 'vitest';
import { AskedPackages } from './asked-packages.ts';
import { entriesOf, entriesOfRuns, root } from './runs.ts';
import { systemPackages, type Run } from './system-packages.ts';

const partsOf = (row: (typeof systemPackages)[number]): readonly string[] => [
  ...('programs' in row ? row.programs : []),
  ...('libraries' in row ? row.libraries : []),
  ...('files' in row ? Object.keys(row.files) : []),
];

describe('the table of system packages', () => {
  const runs = Object.keys(entriesOfRuns) as Run[];
  const asked = new Map<Run, ReadonlySet<string>>();
  beforeAll(() => {
    const reader = new AskedPackages(root);
    for (const run of runs) asked.set(run, reader.from(entriesOf(run)));
  });

  it('has each name once', () => {
    const names = systemPackages.flatMap(partsOf);
    expect(names).toHaveLength(new Set(names).size);
    expect(names.length).toBeGreaterThan(30);
  });

  it('names for each package its runs, and no other', () => {
    const uses = systemPackages.map((row) => [
      row.name,
      runs.filter((run) => partsOf(row).some((part) => asked.get(run)?.has(part))),
    ]);
    expect(Object.fromEntries(uses)).toEqual(Object.fromEntries(systemPackages.map(({ name, runs }) => [name, runs])));
  });

  it('has every requested name, and no other', () => {
    const all = new Set([...asked.values()].flatMap((names) => [...names]));
    expect([...all].sort()).toEqual(systemPackages.flatMap(partsOf).sort());
  });
});
