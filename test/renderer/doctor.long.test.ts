import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createSoftHsm } from '../token/softhsm.ts';
import { texts } from './actions.ts';
import type { RealWindow } from './browser.ts';
import type { RealCore, RealPlan } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';
import { check, withChecks } from './stand-ins.ts';
import { rememberRequests, signFiles, stopDriver, useOddToken, withOddToken } from './worlds.ts';

const text = texts['pt-BR'];
const { doctor, findings } = text;
const stage = sharedStage();
const { inputsOf } = stage;
let shown: RealWindow;

async function openDoctor(plan?: RealPlan): Promise<Page> {
  shown = await stage.open(plan);
  const { page } = shown;
  await goToDoctor(page);
  return page;
}

async function goToDoctor(page: Page): Promise<void> {
  await page.evaluate(() => (location.hash = '#/doctor'));
  await page.getByRole('heading', { level: 1, name: doctor.title, exact: true }).waitFor();
}

/** A request of the next week: the trace of a clock that was wrong for a while. */
async function askInFuture(core: RealCore): Promise<void> {
  const tcn = await signFiles(core, ['futuro.pdf']);
  await rememberRequests(core, tcn, [{ minutesAgo: -7 * 24 * 60 }]);
}

const problemsOf = async ({ calls }: RealCore): Promise<readonly string[]> =>
  (await calls['doctor.read']({})).checks
    .filter(({ outcome }) => outcome === 'problem')
    .map(({ words }) => words['pt-BR'].title);

const repair = (page: Page, name: keyof typeof doctor.repairs) =>
  page.getByRole('button', { name: new RegExp(`^${doctor.repairs[name]}`) });

describe('Doctor', () => {
  it('finds the same as Home', async () => {
    shown = await stage.open(
      await withOddToken(async (core) => {
        await askInFuture(core);
        await stopDriver(core);
      }),
    );
    const { page, core } = shown;
    const titles = await problemsOf(core);
    expect(titles).toEqual([expect.stringContaining('fault-module.so'), 'Relógio']);
    for (const title of titles) await page.getByText(title, { exact: true }).waitFor();
    expect(await page.getByText(doctor.good, { exact: true }).count()).toBe(0);
    await goToDoctor(page);
    await page.getByText('2 pontos precisam da sua atenção').waitFor();
    for (const title of titles) await page.getByText(title, { exact: true }).waitFor();
  });

  it('tells lost rows and a wrong clock above every page, and trusts the clock after a confirmation', async () => {
    shown = await stage.open({
      prepare: async (core) => {
        await askInFuture(core);
        await core.restart((data) => copyFile(join(data, 'sinete.db'), join(core.folder, 'older.db')));
        await signFiles(core, ['um.pdf', 'dois.pdf']);
        await core.restart((data) => copyFile(join(core.folder, 'older.db'), join(data, 'sinete.db')));
      },
    });
    const { page } = shown;
    await page.evaluate(() => (location.hash = '#/sign'));
    const bars = page.locator('main [role=status]').filter({ hasText: text.home.toDoctor });
    await expect.poll(() => bars.count()).toBe(2);
    expect(await bars.allTextContents()).toEqual([
      expect.stringMatching(/Faltam? 1 pedidos? e 2 documentos, 2 deles assinados\..*o Sinete só lê/),
      expect.stringContaining('Mostra uma hora anterior a algo que já aconteceu.'),
    ]);
    await bars.last().getByRole('link').click();
    await repair(page, 'accept-clock').click();
    await page.getByText(doctor.repaired).waitFor();
    await expect.poll(() => bars.count()).toBe(1);
    expect(inputsOf('clock.accept')).toEqual([{}]);
  });

  it('moves keys from memory into a file by a click on Home', async () => {
    let areKept = false;
    shown = await stage.open({
      prepare: (core) => {
        core.standIn({
          state: 'the keys are in memory only',
          because: 'the key file and the keychain of the person who runs the tests would be used',
          answers: {
            'doctor.read': (real) =>
              areKept
                ? real()
                : withChecks(
                    real,
                    check('secret-place', 'secrets-in-memory', {}, { repairs: [{ kind: 'keep-keys' }] }),
                  ),
            'secrets.keep': () => {
              areKept = true;
              return {};
            },
          },
        });
        return Promise.resolve();
      },
    });
    const { page } = shown;
    const problem = page.getByText(
      'Não há chaveiro: as chaves estão só na memória e se perdem quando o Sinete termina.',
    );
    await problem.waitFor();
    await repair(page, 'keep-keys').click();
    await page.getByText(doctor.repaired).waitFor();
    await problem.waitFor({ state: 'detached' });
    expect(inputsOf('secrets.keep')).toEqual([{}]);
  });

  it('says the same first line as Home, and calls nothing in order while advice is open', async () => {
    const page = await openDoctor({
      prepare: (core) => {
        core.standIn({
          state: 'the only open finding is advice about the port',
          because: 'the port of a test is free to change, and other advice depends on the computer',
          answers: {
            'doctor.read': async (real) => ({
              status: 'advice',
              checks: [
                ...(await real()).checks.filter(({ outcome }) => outcome === 'ok'),
                check('port', 'port-other', { port: '1', usual: '2' }),
              ],
            }),
          },
        });
        return Promise.resolve();
      },
    });
    const first = page.getByRole('status').filter({ hasText: doctor.canSign }).locator('p').first();
    const line = (await first.textContent()) ?? '';
    expect(line).not.toBe('');
    expect(await page.getByText(doctor.good, { exact: true }).count()).toBe(0);
    await page.evaluate(() => (location.hash = '#/'));
    await page.getByText(line, { exact: true }).waitFor();
  });

  it('keeps the present port by a click', async () => {
    const page = await openDoctor();
    await repair(page, 'keep-port').click();
    await page.getByText(doctor.repaired).waitFor();
    await repair(page, 'keep-port').waitFor({ state: 'detached' });
    expect(inputsOf('doctor.keepPort')).toEqual([{}]);
    expect(await shown.core.calls['doctor.read']({})).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ finding: 'port-usual' })]) as unknown,
    });
  });

  it('updates missing trust data by a click, and looks again', async () => {
    let isUpdated = false;
    const page = await openDoctor({
      prepare: (core) => {
        core.standIn({
          state: 'no authority is trusted',
          because: 'the product brings its trust data along, and an update asks the servers of the ITI',
          answers: {
            'doctor.read': (real) => (isUpdated ? real() : withChecks(real, check('trust-data', 'trust-none'))),
            'trust.update': () => {
              isUpdated = true;
              return { anchors: [], intermediates: 143, policies: [], skipped: [] };
            },
          },
        });
        return Promise.resolve();
      },
    });
    await page.getByText('1 ponto precisa da sua atenção').waitFor();
    await repair(page, 'update-trust').click();
    await page.getByText('1 ponto precisa da sua atenção').waitFor({ state: 'detached' });
    expect(inputsOf('trust.update')).toHaveLength(1);
  });

  it('starts a quarantined driver again, and looks again', async () => {
    const page = await openDoctor(await withOddToken(stopDriver));
    await page.getByText('1 ponto precisa da sua atenção').waitFor();
    await page.getByText('Falhou várias vezes e foi parado.', { exact: true }).waitFor();
    await useOddToken();
    await repair(page, 'retry-driver').click();
    await page.getByText('1 ponto precisa da sua atenção').waitFor({ state: 'detached' });
    await page.getByText('Arquivos de certificado', { exact: true }).waitFor();
    expect(inputsOf('modules.retry')).toHaveLength(1);
    expect(await shown.core.calls['tokens.list']({})).toHaveLength(1);
  });

  it('tells of a card without a driver, and adds the suggested driver', async () => {
    const hsm = await createSoftHsm([{ label: 'cartão', keys: [] }]);
    let core: RealCore | undefined;
    const waiting = check(
      'card-reader',
      'token-without-driver',
      { name: 'SafeNet eToken' },
      { repairs: [{ kind: 'add-driver', path: hsm.modulePath }] },
    );
    const page = await openDoctor({
      configuration: { moduleEnvironment: hsm.environment },
      prepare: (made) => {
        core = made;
        made.standIn({
          state: 'a card in a reader that no driver reads',
          because: 'the computer of a test has no reader of cards',
          answers: {
            'doctor.read': (real) =>
              core?.log.some(({ name }) => name === 'modules.add') === true ? real() : withChecks(real, waiting),
          },
        });
        return Promise.resolve();
      },
    });
    await page.getByText('Há um cartão em “SafeNet eToken”', { exact: false }).waitFor();
    await repair(page, 'add-driver').click();
    await page.getByText(doctor.repaired).waitFor();
    await page.getByText('1 token está conectado e visível.', { exact: false }).waitFor();
    expect(inputsOf('modules.add')).toEqual([{ path: hsm.modulePath }]);
    await hsm.remove();
  });

  it('watches for sites, and tells the outcome of a later request', async () => {
    const visit = async (core: RealCore, origin: string): Promise<unknown> =>
      core.askAsSite(origin).catch(() => undefined);
    const page = await openDoctor({ prepare: async (core) => visit(core, 'http://before.example') });
    await page.getByRole('button', { name: findings.watch.start }).click();
    await expect.poll(() => inputsOf('doctor.visits').length).toBeGreaterThan(0);
    await visit(shown.core, 'http://portal.example');
    await page.getByText(findings.watch.outcomes.ORIGIN_NOT_SECURE).waitFor();
    const watched = page.getByRole('region', { name: findings.watch.title });
    expect(await watched.getByText('http://before.example').count()).toBe(0);
  });

  it('saves diagnostics without names and paths', async () => {
    const page = await openDoctor({
      prepare: async ({ calls }) => {
        const server = { url: 'http://127.0.0.1:9/tsa', digest: 'sha256', authentication: { kind: 'none' } } as const;
        await calls['tsa.add']({ id: 'act-exemplo', ...server });
      },
    });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: doctor.export }).click();
    const content = await readFile(await (await download).path(), 'utf8');
    const { version } = await shown.core.calls['home.read']({});
    expect(JSON.parse(content)).toMatchObject({ product: 'Sinete', version });
    expect(content).toContain('server-silent');
    expect(content).not.toMatch(/Maria|act-exemplo|\/usr|\/tmp|OpenSC|SoftHSM/i);
  });
});
