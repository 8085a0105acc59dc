import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

const root = join(import.meta.dirname, '../..');

/** The most source files of a single folder, for the reader to see the whole folder at a glance. */
const MOST_FILES = 25;

type Import = readonly [from: string, to: string];

/** Imports by relative path, types and dynamic imports included. */
function importsOf(path: string): readonly Import[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, path), 'utf8'));
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }): Import => [path, posix.join(posix.dirname(path), fileName)]);
}

/** Folders with more than `most` files, each with its number. */
function crowdedFolders(files: readonly string[], most: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > most).map(([folder, count]) => `${folder}: ${count}`);
}

/**
 * Folders of a single parent that import each other in a circle, directly or through other folders of the parent: a
 * line for each import of such a circle. Files in the parent itself belong to no folder.
 */
function circlesOfRooms(imports: readonly Import[]): readonly string[] {
  const byParent = new Map<string, Import[]>();
  for (const [from, to] of imports) {
    const parent = sharedParent(from, to);
    const folders: Import = [folderIn(parent, from), folderIn(parent, to)];
    if (folders[0] !== '' && folders[1] !== '') byParent.set(parent, [...(byParent.get(parent) ?? []), folders]);
  }
  return [...byParent].flatMap(([parent, arrows]) => {
    const circular = arrows.filter(([from, to]) => reaches(arrows, to, from));
    return [...new Set(circular.map(([from, to]) => `${parent}: ${from} → ${to}`))].sort();
  });
}

/** The deepest folder holding both files. */
function sharedParent(one: string, other: string): string {
  const others = other.split('/');
  const parts = one.split('/');
  const end = parts.findIndex((part, index) => part !== others[index]);
  return parts.slice(0, end).join('/');
}

/** Name of a file's folder in `parent`; empty for a file of `parent` itself. */
function folderIn(parent: string, file: string): string {
  const rest = file.slice(parent.length + 1).split('/');
  return rest.length === 1 ? '' : (rest[0] ?? '');
}

function reaches(arrows: readonly Import[], start: string, goal: string): boolean {
  const seen = new Set([start]);
  for (const folder of seen) for (const [from, to] of arrows) if (from === folder) seen.add(to);
  return seen.has(goal);
}

const files = [...sourceFiles('src'), ...sourceFiles('renderer/src')];

describe('folders', () => {
  it(`hold at most ${MOST_FILES} source files`, () => {
    expect(files.length).toBeGreaterThan(400);
    expect(crowdedFolders(files, MOST_FILES)).toEqual([]);
  });

  it('import each other in a single direction', () => {
    expect(circlesOfRooms(files.flatMap(importsOf))).toEqual([]);
  });

  it('are reported when crowded', () => {
    expect(crowdedFolders(['src/a/1.ts', 'src/a/2.ts', 'src/a/3.ts', 'src/b/1.ts', 'src/b/2.ts'], 2)).toEqual([
      'src/a: 3',
    ]);
  });

  it('are reported when importing each other in a circle, directly or through a third', () => {
    const direct: readonly Import[] = [
      ['src/app/log/log.ts', 'src/app/config/config.ts'],
      ['src/app/config/config.ts', 'src/app/log/log.ts'],
      ['src/app/cli/cli.ts', 'src/app/log/log.ts'],
    ];
    expect(circlesOfRooms(direct)).toEqual(['src/app: config → log', 'src/app: log → config']);
    const throughThird: readonly Import[] = [
      ['src/app/log/log.ts', 'src/app/config/config.ts'],
      ['src/app/config/config.ts', 'src/app/cli/cli.ts'],
      ['src/app/cli/cli.ts', 'src/app/log/log.ts'],
    ];
    expect(circlesOfRooms(throughThird)).toHaveLength(3);
  });

  it('may be used by files lying beside', () => {
    const composed: readonly Import[] = [
      ['src/app/cli.ts', 'src/app/log/log.ts'],
      ['src/app/log/log.ts', 'src/app/product.ts'],
    ];
    expect(circlesOfRooms(composed)).toEqual([]);
  });
});
