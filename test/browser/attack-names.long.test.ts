import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AttackStage } from './attack-stage.ts';
import { attacks } from './attacks.ts';

/** The ways of `attack-page.long.test.ts`, from pages of plain http and from a name rebound to this computer. */

let stage: AttackStage;

beforeAll(async () => {
  stage = await AttackStage.open();
});
afterAll(async () => stage.close());
beforeEach(() => stage.clear());

describe('a page of plain http', () => {
  it.each(attacks)('has no effect by $way', async ({ run }) => {
    await stage.tryFrom(`http://evil.example:${stage.plain.port}`, run);
    expect(stage.happened()).toEqual([]);
    expect(stage.target.requests.length).toBeGreaterThan(0);
    expect(stage.target.requests.filter(({ status }) => status < 400)).toEqual([]);
  });
});

describe('a page with a name rebound to this computer', () => {
  it.each(attacks)('has no effect by $way', async ({ run }) => {
    const rebound = `http://rebound.example:${stage.target.port}`;
    await stage.tryFrom(rebound, run, rebound);
    expect(stage.happened()).toEqual([]);
    expect(stage.target.requests.length).toBeGreaterThan(0);
    expect(stage.target.requests.map(({ status }) => status).filter((status) => status !== 421)).toEqual([]);
  });
});
