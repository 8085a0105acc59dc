import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settingsCalls } from '../../src/app/calls/settings.ts';
import { changeChosenSettings } from '../../src/app/config/chosen-settings.ts';
import { readConfiguration } from '../../src/app/config/config.ts';
import { portsToTry, usualPorts } from '../../src/app/config/usual-ports.ts';

let dataFolder: string;
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'sinete-settings-'));
});
afterEach(() => rmSync(dataFolder, { recursive: true }));

/** The calls of an instance starting now. */
async function start(environment: Readonly<Record<string, string>> = {}): Promise<ReturnType<typeof settingsCalls>> {
  const sources = { dataFolder, environment, policyFile: join(dataFolder, 'no-policy.toml') };
  return settingsCalls({ dataFolder, configuration: await readConfiguration(sources) });
}

const wanted = { proxy: 'http://proxy.example:3128', noProxy: ['intranet.example'], allow: ['10.0.0.0/8'] };
const chosenFile = (): string => join(dataFolder, 'chosen-settings.json');

describe('the way to the network, chosen in the window', () => {
  it('takes effect at the next start, and rests in a file for its owner alone', async () => {
    const calls = await start();
    expect(await calls['settings.changeNetwork'](wanted)).toMatchObject({ network: wanted, restartNeeded: true });
    expect((statSync(chosenFile()).mode & 0o777).toString(8)).toBe('600');
    const next = await start();
    expect(await next['settings.read']({})).toMatchObject({ network: wanted, restartNeeded: false, fixed: [] });
    expect(await next['settings.changeNetwork']({ proxy: null, noProxy: [], allow: [] })).toMatchObject({
      network: { proxy: null, noProxy: [], allow: [] },
      restartNeeded: true,
    });
  });

  it("gives way to the configuration file and the environment, beyond the window's reach", async () => {
    const calls = await start();
    await calls['settings.changeNetwork'](wanted);
    writeFileSync(join(dataFolder, 'sinete.toml'), '[network]\nproxy = "http://maria:secret@other.example:8080"\n');
    const next = await start({ SINETE_NETWORK_ALLOW: '["192.168.0.1"]' });
    const view = await next['settings.read']({});
    expect(view).toMatchObject({
      network: { proxy: 'http://other.example:8080', proxyHasCredentials: true, allow: ['192.168.0.1'] },
      restartNeeded: false,
    });
    expect([...view.fixed].sort()).toEqual(['network.allow', 'network.proxy']);
    expect(JSON.stringify(view)).not.toContain('secret');
    const changed = await next['settings.changeNetwork']({ ...wanted, proxy: 'http://mine.example', allow: [] });
    expect(changed.network).toMatchObject({ proxy: 'http://other.example:8080', allow: ['192.168.0.1'] });
    expect(JSON.parse(readFileSync(chosenFile(), 'utf8'))).toMatchObject({ 'network.allow': wanted.allow });
  });

  it.each([
    ['a proxy that is none', { ...wanted, proxy: 'proxy.example' }],
    ['a proxy of another kind', { ...wanted, proxy: 'socks5://proxy.example' }],
    ['a proxy with a password', { ...wanted, proxy: 'http://maria:secret@proxy.example' }],
    ['a private address that cannot be read', { ...wanted, allow: ['10.0.0.0/99'] }],
  ])('refuses %s, and keeps nothing', async (_name, input) => {
    const calls = await start();
    await expect(calls['settings.changeNetwork'](input)).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    expect(await (await start())['settings.read']({})).toMatchObject({ network: { proxy: null, allow: [] } });
  });

  it('keeps its defaults without a file known to this version', async () => {
    writeFileSync(chosenFile(), '{"network.proxy": 7}');
    expect(await (await start())['settings.read']({})).toMatchObject({
      network: { proxy: null },
      restartNeeded: false,
    });
  });
});

describe('the limits', () => {
  it('are told as in force', async () => {
    const { limits } = await (await start({ SINETE_LIMITS_DOCUMENTS: '7' }))['settings.read']({});
    expect(limits).toEqual({ documentSize: 2 * 2 ** 30, documents: 7, lifetime: 43_200, uploadTimeout: 86_400 });
  });
});

describe('a port kept in the window', () => {
  const portsOf = async (environment: Readonly<Record<string, string>> = {}): Promise<readonly number[]> =>
    portsToTry(await readConfiguration({ dataFolder, environment, policyFile: join(dataFolder, 'no-policy.toml') }));

  it('is tried first, and the usual ports afterwards; a port of the configuration excludes others', async () => {
    expect(await portsOf()).toEqual(usualPorts);
    await changeChosenSettings(dataFolder, [], { port: 27_171 });
    expect(await portsOf()).toEqual([27_171, 17_171, 37_171, 47_171, 57_171]);
    expect(await portsOf({ SINETE_PORT: '8080' })).toEqual([8080]);
    expect(portsToTry({ port: 8080, keptPort: 27_171 })).toEqual([8080]);
  });
});
