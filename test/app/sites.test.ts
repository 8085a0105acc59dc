import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkplace, runSinete, type CommandOutcome, type Workplace } from './run-sinete.ts';

let place: Workplace;
beforeAll(async () => {
  place = await makeWorkplace();
});
afterAll(async () => place.remove());

const sinete = async (...words: string[]): Promise<CommandOutcome> => runSinete(place, words);

describe('sinete sites', () => {
  it('lets in, lists and revokes a site', async () => {
    expect((await sinete('sites')).stdout).toContain('No web site may use this instance.');
    const allowed = await sinete(
      'sites',
      'allow',
      'https://Portal.example',
      '--scope',
      'sign',
      '--days',
      '7',
      '--json',
    );
    expect(JSON.parse(allowed.stdout)).toMatchObject({ origin: 'https://portal.example', scopes: ['sign'], uses: 0 });
    const { stdout } = await sinete('sites', 'list', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ origin: 'https://portal.example', source: 'user' }]);
    expect((await sinete('sites', 'revoke', 'https://portal.example')).code).toBe(0);
    expect((await sinete('sites', 'revoke', 'https://portal.example')).code).toBe(1);
  });

  it('lets a site sign and nothing else where no permission is named', async () => {
    const allowed = await sinete('sites', 'allow', 'https://portal.example', '--json');
    expect(JSON.parse(allowed.stdout)).toMatchObject({ scopes: ['sign'] });
    await sinete('sites', 'revoke', 'https://portal.example');
  });

  it('lets a plain http site sign after a warning, and revokes the site', async () => {
    const allowed = await sinete('sites', 'allow', 'http://intranet.example', '--insecure');
    expect(allowed.stderr).toContain('anybody on the network of a plain http site can speak in its name');
    expect(allowed.stdout).toContain('Let in: http://intranet.example, for sign.');
    expect((await sinete('sites', 'revoke', 'http://intranet.example')).code).toBe(0);
  });

  it.each([
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc',
    'app://org.example.editor',
  ])('lets in %s by its exact origin', async (origin) => {
    const allowed = await sinete('sites', 'allow', origin, '--json');
    expect(JSON.parse(allowed.stdout)).toMatchObject({ origin, scopes: ['sign'] });
    expect((await sinete('sites', 'revoke', origin)).code).toBe(0);
  });

  it('opens, lists and takes back a folder for a site', async () => {
    const opened = await sinete('sites', 'allow-folder', 'https://portal.example', '/srv/in', '--days', '7', '--json');
    expect(JSON.parse(opened.stdout)).toMatchObject({ root: '/srv/in', access: 'read', uses: 0 });
    expect((await sinete('sites', 'list')).stdout).toMatch(/https:\/\/portal\.example\s+\/srv\/in\s+read/);
    expect((await sinete('sites', 'revoke-folder', 'https://portal.example', '/srv/in')).code).toBe(0);
    expect(JSON.parse((await sinete('sites', 'folders', '--json')).stdout)).toEqual([]);
  });

  it.each([
    [['sites', 'allow-folder', 'https://portal.example', '/'], 2, 'not a whole disk'],
    [['sites', 'allow-folder', 'https://portal.example', '/srv', '--access', 'all'], 2, 'is no access'],
    [['sites', 'allow', 'https://portal.example', '--scope', 'everything'], 2, 'is no permission'],
    [['sites', 'allow', 'https://portal.example', '--days', '0'], 2, 'number of days'],
    [['sites', 'allow', 'http://portal.example'], 2, '--insecure'],
    [['sites', 'allow', 'http://portal.example', '--insecure', '--scope', 'user:read'], 2, 'choose "sign" alone'],
    [['sites', 'allow', 'chrome-extension://abc/popup.html'], 2, 'Give an origin'],
    [['sites', 'allow', 'chrome-extension://*'], 2, 'Give an origin'],
    [['sites', 'allow', 'ftp://portal.example', '--insecure'], 2, 'Only https origins'],
  ] as const)('refuses %j with code %i', async (words, code, sentence) => {
    const outcome = await sinete(...words);
    expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringContaining(sentence)]);
  });
});
