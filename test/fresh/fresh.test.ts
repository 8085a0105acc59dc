import { describe, expect, it } from 'vitest';
import { filterAptSettings, filterNpmrc, networkVariables } from './machine-settings.ts';
import { findReadmeCommands, readReadmeCommands, shellCommands } from './readme-commands.ts';
import { StepError, StepTable } from './step-table.ts';

const block = (text: string): string => `\`\`\`sh\n${text}\n\`\`\`\n`;

describe('the commands of the README', () => {
  it('are the three for a fresh machine to understand', async () => {
    const { start, demo, test } = await readReadmeCommands();
    expect(start).toMatch(/^npm ci && npm start\b/);
    expect(demo).toMatch(/^npx sinete demo$/);
    expect(test).toMatch(/^npm ci && npm test$/);
  });

  it('are taken from shell blocks only, without their comments', () => {
    const text = `Run \`npm start\`.\n${block('npm ci   # once\n\n# a remark\nnpm run x -- --a=#1')}\`\`\`js\nnpm()\n\`\`\`\n`;
    expect(shellCommands(text)).toEqual(['npm ci', 'npm run x -- --a=#1']);
  });

  it('must be there, once', () => {
    const whole = block('npm ci && npm start\nnpx sinete demo\nnpm ci && npm test # all');
    expect(findReadmeCommands(whole).test).toBe('npm ci && npm test');
    expect(() => findReadmeCommands(whole.replace('npx sinete demo', ''))).toThrow(/demonstration.*holds none/);
    expect(() => findReadmeCommands(whole + block('CI=1 npm test'))).toThrow(/runs the tests.*holds 2/);
  });
});

describe('the settings taken over by a fresh root', () => {
  it('are the lines of an npmrc on the network', () => {
    const npmrc = [
      '; a comment',
      'nodedir=/usr',
      'yes = true',
      'registry = https://packages.example/npm/',
      '@acme:registry=https://acme.example/',
      '//packages.example/npm/:_authToken=${TOKEN}',
      'cafile=/home/someone/ca.pem',
      'https-proxy=http://user:secret@proxy.example:8080',
      'prefix=/opt',
    ];
    expect(filterNpmrc(npmrc.join('\n')).split('\n')).toEqual([
      'registry=https://packages.example/npm/',
      '@acme:registry=https://acme.example/',
      '//packages.example/npm/:_authToken=${TOKEN}',
      'cafile=/etc/machine-certificates.pem',
      'https-proxy=http://user:secret@proxy.example:8080',
      '',
    ]);
  });

  it('are the variables of proxies and registries, and the variables named in the npmrc', () => {
    const environment = {
      HOME: '/root',
      TOKEN: 't',
      OTHER_TOKEN: 'o',
      https_proxy: 'http://proxy.example',
      NO_PROXY: 'localhost',
      HTTP_PROXY: '',
      npm_config_registry: 'https://packages.example/',
      npm_config_strict_ssl: 'false',
      npm_config_cafile: '/home/someone/ca.pem',
      npm_config_prefix: '/usr',
      npm_config_cache: '/root/.npm',
    };
    expect(networkVariables(environment, '//packages.example/:_authToken=${TOKEN}\n')).toEqual({
      TOKEN: 't',
      https_proxy: 'http://proxy.example',
      NO_PROXY: 'localhost',
      npm_config_registry: 'https://packages.example/',
      npm_config_strict_ssl: 'false',
      npm_config_cafile: '/etc/machine-certificates.pem',
    });
  });

  it('are the lines of apt on the way to a mirror', () => {
    const dump = [
      'APT::Architecture "amd64";',
      'Acquire::cdrom::mount "/media/cdrom/";',
      'Acquire::Check-Valid-Until "false";',
      'Acquire::http::Proxy "http://proxy.example:3142";',
      'Acquire::AllowInsecureRepositories "0";',
      'DPkg::Post-Invoke:: "rm -f /var/cache/apt/archives/*.deb";',
    ];
    expect(filterAptSettings(dump.join('\n'))).toBe(
      'Acquire::Check-Valid-Until "false";\nAcquire::http::Proxy "http://proxy.example:3142";\n',
    );
  });
});

describe('the table of steps', () => {
  it('keeps a failed step, and hands its error on', async () => {
    const table = new StepTable();
    await table.step('first', async () => Promise.resolve('built'));
    const failing = table.step('second', async () =>
      Promise.reject(new StepError('npm ci ended with 1', 'many lines')),
    );
    await expect(failing).rejects.toMatchObject({ output: 'many lines' });
    const lines = table.text().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/^first +\d+\.\d +built$/);
    expect(lines[2]).toMatch(/^second +\d+\.\d +FAILED: npm ci ended with 1$/);
    expect(lines[3]).toMatch(/^all +\d+\.\d$/);
  });
});
