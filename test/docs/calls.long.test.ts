/** The programs of the page of calls, against a real instance; PHP is part of `npm run clients`. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileJava } from '../oracles/java.ts';
import { runNode, runTool } from '../oracles/run-program.ts';
import { DocumentedWorld } from './documented-world.ts';
import { callsFolder, faultsOfCalls } from './run-calls.ts';

let world: DocumentedWorld;

beforeAll(async () => {
  world = await DocumentedWorld.open({ approve: 'all' });
});
afterAll(async () => world.close());

describe('the programs of the page of calls', () => {
  it('sign, validate, get a token and verify callbacks in JavaScript', async () => {
    const run = async (options: object): Promise<string> => runNode([join(callsFolder, 'calls.mjs')], options);
    expect(await faultsOfCalls(world, run)).toEqual([]);
  });

  it('sign, validate, get a token and verify callbacks in Python', async () => {
    const run = async (options: object): Promise<string> =>
      runTool('python3', [join(callsFolder, 'calls.py')], options);
    expect(await faultsOfCalls(world, run)).toEqual([]);
  });

  it('sign, validate, get a token and verify callbacks in Java', async () => {
    const classes = join(world.folder, 'classes');
    await mkdir(classes);
    await compileJava('.', classes, [join(callsFolder, 'Calls.java')]);
    const run = async (options: object): Promise<string> => runTool('java', ['-cp', classes, 'Calls'], options);
    expect(await faultsOfCalls(world, run)).toEqual([]);
  });
});
