import { existsSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { makeWorkplace, runSinete, serve, spawnSinete, type Workplace } from './run-sinete.ts';

let place: Workplace;
const fileOf = (name: string): string => join(place.folder, name);

beforeAll(async () => {
  place = await makeWorkplace();
  const person = ['--name', 'ANA LIMA', '--cpf', '11144477735'];
  const made = await runSinete(place, ['certificates', 'test-identity', ...person]);
  expect(made, made.stderr).toMatchObject({ code: 0 });
  const pdf = writeTextPdf({ title: 'Olá', paragraphs: ['Texto.'], footer: 'x' }, new Date());
  await writeFile(fileOf('a.pdf'), pdf);
});
afterAll(async () => place.remove());

describe('the command line beside a running instance', () => {
  it('works through the instance, and finds no trace of the instance after its stop', async () => {
    const instance = await serve(place, ['--approve', 'ask']);
    try {
      expect(instance.output()).toContain('Only programs of this computer');
      if (process.platform !== 'win32') expect(statSync(join(place.data, 'instance.json')).mode & 0o777).toBe(0o600);
      const link = await runSinete(place, ['link']);
      expect(link.stdout).toMatch(new RegExp(`^${instance.baseUrl}/ui/#key=[\\w-]{43}\n$`));
      const doctor = await runSinete(place, ['doctor', '--json']);
      expect(JSON.parse(doctor.stdout)).toMatchObject({ instance: instance.baseUrl });
      const signed = await spawnSinete(place, ['sign', 'a.pdf', '--out', '.', '--approve-here', '--json']);
      expect(JSON.parse(signed.stdout)).toMatchObject([{ status: 'SIGNED' }]);
      if (process.getuid?.() === 0) expect(instance.output()).toContain('Sinete runs as root');
      const second = await runSinete(place, ['serve', '--port', '0']);
      expect(second).toMatchObject({ code: 3 });
      expect(second.stdout).toContain('already running');
    } finally {
      expect(await instance.stop('SIGINT')).toBe(0);
    }
    expect(existsSync(join(place.data, 'instance.json'))).toBe(false);
  });

  it('names the approved callers, and refuses to begin with an empty list', async () => {
    const none = await runSinete(place, ['serve', '--approve', 'listed', '--port', '0'], { isRefused: true });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('in "approved" of the configuration')]);
    const path = join(place.data, 'sinete.toml');
    await writeFile(path, 'approved = ["portal", "https://portal.example"]\n');
    try {
      const instance = await serve(place, ['--approve', 'listed']);
      expect(await instance.stop()).toBe(0);
      expect(instance.output()).toContain('without asking you: portal, https://portal.example.');
    } finally {
      await rm(path);
    }
  });

  it('warns when every program may sign without being asked, and ends in order when its terminal is closed', async () => {
    const instance = await serve(place, ['--approve', 'all']);
    expect(await instance.stop('SIGHUP')).toBe(0);
    expect(instance.output()).toContain('Warning: --approve all');
    expect(existsSync(join(place.data, 'instance.json'))).toBe(false);
  });
});
