import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSinete, type Workplace } from '../run-sinete.ts';
import { runTool } from '../../oracles/run-program.ts';

/** Secrets and personal data, never to leave the computer. Each is planted somewhere. */
const planted = {
  cpf: '52998224725',
  writtenCpf: '529.982.247-25',
  name: 'Maria Aparecida',
  email: 'maria@portal.example',
  site: 'portal.example',
  secret: 'hunter2hunter2',
  tcn: '0123456789ABCDEFGHJKMNPQRS',
  file: 'divorce-papers',
  orderId: 'case-of-maria-77',
};
let folder: string;
let workplace: Workplace;
let unpacked: string;

function plant(): void {
  const { cpf, writtenCpf, name, email, site, secret, tcn, file, orderId } = planted;
  const lines = [
    { level: 30, time: 1, requestId: orderId, transaction: '012345…', documents: 2, msg: 'created' },
    {
      level: 50,
      time: 2,
      msg: 'broken',
      person: name,
      error: {
        name: 'Error',
        code: 'EACCES',
        message: `${name} ${cpf} ${email} /home/maria/${file}.pdf ${tcn}`,
        stack: [`at read (file:///home/${secret}/src/app/log/log.ts:3:4)`],
        cause: { name: 'Cause', message: `${writtenCpf} https://${site}/?key=${secret}`, stack: [] },
      },
    },
    { level: 40, time: 3, msg: `${name.split(' ', 1)[0] ?? ''}@${site} ${writtenCpf} https://${site}/x ${tcn}` },
  ];
  mkdirSync(workplace.data, { recursive: true });
  for (const line of lines) appendFileSync(join(workplace.data, 'sinete.log'), `${JSON.stringify(line)}\n`);
  writeFileSync(
    join(workplace.data, 'sinete.toml'),
    `[sites]\n"https://${site}" = ["sign"]\n[network]\nproxy = "http://maria:${secret}@127.0.0.1:9"\nallow = ["${site}"]\n` +
      `[pkcs11.environment]\nTOKEN_PIN = "${secret}"\n`,
  );
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-diagnostics-'));
  const data = join(folder, 'data');
  const environment = {
    SINETE_DATA: data,
    SINETE_SECRET_STORE_MODE: 'key-file',
    SINETE_SECRET_STORE_KEY_FILE: join(folder, 'master.key'),
  };
  workplace = { folder, data, environment, remove: async () => Promise.resolve() };
  plant();
  const identity = ['certificates', 'test-identity', '--name', planted.name, '--cpf', planted.cpf];
  expect(await runSinete(workplace, identity)).toMatchObject({ code: 0 });
  const outcome = await runSinete(workplace, ['doctor', '--json', '--export', 'help.zip']);
  expect([0, 1]).toContain(outcome.code);
  unpacked = join(folder, 'unpacked');
  await runTool('python3', ['-m', 'zipfile', '-e', join(folder, 'help.zip'), unpacked]);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('sinete doctor --export', () => {
  const read = (name: string): string => readFileSync(join(unpacked, name), 'utf8');

  it('writes helpful facts: versions, configuration, health, modules, the end of the log', () => {
    expect(readdirSync(unpacked).sort()).toEqual([
      'about.json',
      'configuration.json',
      'health.json',
      'log.jsonl',
      'modules.json',
    ]);
    expect(JSON.parse(read('configuration.json'))).toMatchObject({
      sites: 1,
      fileRoots: 0,
      network: { proxy: true, allowed: 1 },
    });
    expect(JSON.parse(read('health.json'))).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: 'database', ok: true })]),
    );
    expect(read('log.jsonl')).toContain('"code":"EACCES"');
    expect(read('log.jsonl')).toContain('src/app/log/log.ts:3:4');
  });

  it.each(Object.entries(planted))('holds no planted secret: %s', (_what, text) => {
    for (const name of readdirSync(unpacked)) {
      for (const part of text.split(' ')) expect(read(name)).not.toContain(part);
    }
  });

  it('does not name the home folder, nor replace a file', async () => {
    for (const name of readdirSync(unpacked)) expect(read(name)).not.toContain(`${homedir()}/`);
    expect((await runSinete(workplace, ['doctor', '--export', 'help.zip'])).code).toBe(2);
  });
});
