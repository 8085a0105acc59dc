/** Certificates of a Firefox that runs with its profile. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { verify, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BrowserKeySource } from '../../src/signing/index.ts';
import { countNssKeys } from '../../src/storage/index.ts';
import { personWith } from '../pki/identities.ts';
import { systemFile, systemTool } from '../setup/system-packages.ts';
import { createNssProfile, importIdentity } from './nss-profile.ts';

let home: string;
let firefox: ChildProcess;
let profile: string;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'sinete-firefox-'));
  profile = path.join(home, '.mozilla/firefox/abcd1234.default-esr');
  await createNssProfile(profile);
  firefox = spawn(systemTool('firefox-esr'), ['--headless', '--no-remote', '--profile', profile, 'about:blank'], {
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: 'ignore',
  });
});
afterAll(async () => {
  const ended = once(firefox, 'exit');
  firefox.kill();
  await ended;
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

it('a certificate imported beside the running Firefox is listed and signs', async () => {
  // Firefox writes this file after its start with the profile.
  await expect.poll(() => existsSync(path.join(profile, 'times.json')), { timeout: 120_000 }).toBe(true);
  const maria = await personWith({ name: 'MARIA', keyKind: 'rsa-2048' });
  await importIdentity(profile, maria);
  const source = new BrowserKeySource({ home, countKeys: countNssKeys, library: systemFile('softokn') });
  try {
    const [key] = await source.list();
    const signer = await source.open(key!.id);
    const message = Buffer.from('contrato');
    const signature = await signer.sign(message, { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha256' });
    expect(verify('sha256', message, new X509Certificate(maria.certificate).publicKey, signature)).toBe(true);
    expect(firefox.exitCode).toBeNull();
  } finally {
    await source.close();
  }
});
