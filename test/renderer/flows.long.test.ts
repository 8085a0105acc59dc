import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/service/errors/index.ts';
import { createSoftHsm } from '../token/softhsm.ts';
import type { RealWindow } from './browser.ts';
import { encryptPdf } from './encrypted-pdf.ts';
import { keyFileOf, rightPassword, type RealPlan } from './real-core.ts';
import { chooseByClick, chooseFiles, countClicks, dropContents, dropFiles, pdfOf, texts } from './actions.ts';
import { sharedStage } from './shared-stage.ts';
import { useOddToken, withOddToken } from './worlds.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;
let shown: RealWindow;

/** As right after the installation. */
const fresh: RealPlan = { keys: 'none' };

/** A program's request with documents in its body. */
const fromProgram = (...names: readonly string[]): Readonly<Record<string, unknown>> => ({
  type: 'CAdES-detached',
  documents_source: 'DATA_URL',
  documents: names.map((name) => ({ original_file_name: name, data: `data:text/plain,${name}` })),
});

async function goTo(hash: string): Promise<void> {
  await shown.page.evaluate((target) => (location.hash = target), hash);
}

interface EventStreams {
  breakStream: () => void;
  letConnect: () => void;
}

/** Runs in the page: a test can break the stream of events off, as a network does, and delay the next stream. */
function holdEventStreams(): void {
  const host = globalThis as unknown as EventStreams;
  const { fetch } = globalThis;
  let mayConnect = Promise.resolve();
  globalThis.fetch = async (input, init) => {
    if (input instanceof Request || !input.toString().endsWith('/ui/events')) return fetch(input, init);
    await mayConnect;
    const response = await fetch(input, init);
    const end = new AbortController();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    response.body?.pipeTo(writable, { signal: end.signal }).catch(() => undefined);
    host.breakStream = () => {
      mayConnect = new Promise((resolve) => (host.letConnect = resolve));
      end.abort();
    };
    return new Response(readable, response);
  };
}

describe('importing a key file', () => {
  it('takes three clicks and the password, from the first window on', async () => {
    shown = await stage.open(fresh);
    const { page } = shown;
    const { importDialog } = text.certificates;
    const way = page.getByRole('button', { name: new RegExp(`^${text.home.importTitle}`) });
    await way.waitFor();
    const clicks = await countClicks(page);
    await way.click();
    const choose = page.getByRole('dialog').getByRole('button', { name: importDialog.choose, exact: true });
    const file = { name: 'ana.pfx', mimeType: 'application/x-pkcs12', buffer: await keyFileOf('ANA EXEMPLO') };
    await chooseByClick(page, choose, file);
    await page.getByText('ana.pfx').waitFor();
    // The password is asked for where the keyboard is already.
    await page.keyboard.type(rightPassword);
    await page.getByRole('dialog').getByRole('button', { name: importDialog.submit, exact: true }).click();
    await page.getByRole('button', { name: text.firstRun.try.submit }).waitFor();
    expect(inputsOf('certificates.import')).toMatchObject([{ password: rightPassword }]);
    expect(await clicks()).toBe(3);
    expect(shown.faults).toEqual([]);
  });

  it('tells of a wrong password, keeps the file, and imports the file with the right password', async () => {
    shown = await stage.open();
    const { page } = shown;
    await goTo('#/certificates');
    await page.getByRole('button', { name: text.certificates.import }).click();
    const file = { name: 'ana.pfx', mimeType: 'application/x-pkcs12', buffer: await keyFileOf('ANA EXEMPLO') };
    await page.locator('[role=dialog] input[type=file]').setInputFiles(file);
    const password = page.getByLabel(text.certificates.importDialog.password, { exact: true });
    await password.fill('errada');
    await password.press('Enter');
    await page.getByText(text.certificates.importDialog.wrong).waitFor();
    await page.getByText('ana.pfx').waitFor();
    await password.fill(rightPassword);
    await password.press('Enter');
    await page
      .getByText(/^Ana Exemplo$/i)
      .first()
      .waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(inputsOf('certificates.import')).toHaveLength(2);
    expect(shown.faults).toEqual([]);
  });
});

describe('unlocking a token', () => {
  it('warns after a wrong PIN, asks to confirm the last attempt, and unlocks', async () => {
    shown = await stage.open(await withOddToken());
    const { page, core } = shown;
    const { hsm } = await useOddToken();
    await page.evaluate(() => (location.hash = '#/certificates'));
    await page.getByRole('button', { name: /^Desbloquear Maria/i }).click();
    const pin = page.getByLabel(text.certificates.unlockDialog.pin, { exact: true });
    await pin.fill('0000');
    await pin.press('Enter');
    await page.getByText(text.certificates.unlockDialog.low).waitFor();
    await pin.fill('1111');
    await pin.press('Enter');
    await page.getByText(text.certificates.unlockDialog.last).waitFor();
    await pin.fill(hsm.pin);
    const submit = page.getByRole('button', { name: text.certificates.unlockDialog.submit, exact: true });
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel(text.certificates.unlockDialog.lastConfirm).check();
    await submit.click();
    await page.getByText(text.certificates.unlockedNow).waitFor();
    const states = (await core.calls['certificates.list']({})).map(({ locked }) => locked);
    expect(states).toEqual([false, false]);
    expect(shown.faults).toEqual([]);
  });
});

describe('making a test identity', () => {
  it('refuses a CPF with wrong check digits, and sends the digits of a right CPF', async () => {
    shown = await stage.open(fresh);
    const { page } = shown;
    await page.getByRole('button', { name: new RegExp(text.home.testTitle) }).click();
    await page.getByLabel(text.certificates.testDialog.name).fill('Maria da Silva Teste');
    await page.getByLabel('CPF').fill('52998224726');
    await page.getByRole('button', { name: text.certificates.testDialog.submit }).click();
    await page.getByText(text.certificates.testDialog.cpfError).waitFor();
    await page.getByLabel('CPF').fill('52998224725');
    expect(await page.getByLabel('CPF').inputValue()).toBe('529.982.247-25');
    await page.getByRole('button', { name: text.certificates.testDialog.submit }).click();
    await page.getByText(text.firstRun.try.title).waitFor();
    expect(inputsOf('certificates.makeTestIdentity')).toEqual([{ name: 'Maria da Silva Teste', cpf: '52998224725' }]);
    expect(shown.faults).toEqual([]);
  });

  it('makes a company with a CNPJ of letters and digits, and its responsible person', async () => {
    shown = await stage.open(fresh);
    const { page } = shown;
    const { testDialog } = text.certificates;
    await page.getByRole('button', { name: new RegExp(text.home.testTitle) }).click();
    await page.getByText(testDialog.company, { exact: true }).click();
    await page.getByLabel(testDialog.companyName).fill('Empresa de Teste');
    await page.getByLabel(testDialog.cnpj).fill('12abc34501de36');
    await page.getByLabel(testDialog.responsible).fill('Ana Lima');
    await page.getByLabel('CPF').fill('52998224725');
    await page.getByRole('button', { name: testDialog.submit }).click();
    await page.getByText(testDialog.cnpjError).waitFor();
    await page.getByLabel(testDialog.cnpj).fill('12abc34501de35');
    await page.getByRole('button', { name: testDialog.submit }).click();
    await page.getByText(text.firstRun.try.title).waitFor();
    expect(inputsOf('certificates.makeTestIdentity')).toEqual([
      { name: 'Empresa de Teste', cpf: '52998224725', cnpj: '12ABC34501DE35', responsible: 'Ana Lima' },
    ]);
    expect(shown.faults).toEqual([]);
  });
});

describe('signing files', () => {
  it('takes dropped files on any page, signs all of them without a further question, and offers the results', async () => {
    shown = await stage.open();
    const { page } = shown;
    await dropFiles(page, 'main', ['contrato.pdf', 'notas.txt', 'vazio.txt']);
    await page.getByText('contrato.pdf').waitFor();
    await page.getByRole('button', { name: 'Assinar 2 arquivos' }).click();
    await page.getByText('2 documentos assinados', { exact: true }).waitFor();
    expect(inputsOf('approvals.decide')).toMatchObject([{ decision: 'approve' }, { decision: 'approve' }]);
    expect(inputsOf('sign.create')).toMatchObject([
      { type: 'PAdES', digest: 'sha256', files: [{ name: 'contrato.pdf' }] },
      { type: 'CAdES-detached', files: [{ name: 'notas.txt' }] },
    ]);
    const download = page.waitForEvent('download');
    // By the keyboard, because the list moves while the last rows come in.
    await page.getByRole('link', { name: /contrato-assinado\.pdf/ }).press('Enter');
    expect((await download).suggestedFilename()).toBe('contrato-assinado.pdf');
    expect(shown.faults).toEqual([]);
  });

  it('asks about a batch after a failed approval by the press', async () => {
    shown = await stage.open();
    const { page, core } = shown;
    core.standIn({
      state: 'the approval cannot be stored',
      because: 'a database that fails for this call alone would have to fail between two calls of the window',
      answers: {
        'approvals.decide': () => {
          throw new ServiceError('STORAGE_UNAVAILABLE', 'The database does not answer.');
        },
      },
    });
    await chooseFiles(page, ['bom.pdf']);
    await page.locator('form button[type=submit]').click();
    const dialog = page.getByRole('dialog', { name: text.approval.title });
    await dialog.waitFor();
    core.endStandIn('approvals.decide');
    await dialog.getByRole('button', { name: text.approval.approve }).click();
    await page.getByText('bom-assinado.pdf', { exact: true }).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('tells the reason of a failed file, and sends only this file again', async () => {
    shown = await stage.open();
    const { page } = shown;
    await goTo('#/sign');
    await page.getByRole('heading', { name: text.sign.title }).waitFor();
    const locked = await encryptPdf(pdfOf('Fechado'), 'segredo');
    await dropContents(page, 'main', { 'bom.pdf': pdfOf('Bom'), 'protegido.pdf': locked });
    await page.locator('form button[type=submit]').click();
    await page.getByText('1 de 2 documentos assinados', { exact: true }).waitFor();
    await page.getByText(text.errors.DOCUMENT_ENCRYPTED).first().waitFor();
    await page.getByRole('button', { name: 'Tentar de novo (1)' }).click();
    await expect.poll(() => inputsOf('sign.create')).toHaveLength(2);
    expect(inputsOf('sign.create')[1]).toMatchObject({ files: [{ name: 'protegido.pdf' }] });
    expect(shown.faults).toEqual([]);
  });
});

describe('Home', () => {
  it('takes files first and leads them to Sign, and leaves the addresses for programs to Settings', async () => {
    shown = await stage.open();
    const { page, core } = shown;
    await page.getByText(text.home.drop).waitFor();
    expect(await page.getByText(core.origin).count()).toBe(0);
    const file = { name: 'Contrato.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };
    await page.locator('main [data-size=fitting] input[type=file]').first().setInputFiles(file);
    await page.getByRole('heading', { name: text.sign.title }).waitFor();
    await page.getByText('Contrato.pdf').first().waitFor();
    await goTo('#/settings?part=network');
    const addresses = page.getByRole('region', { name: text.operation.addresses.title });
    await addresses.getByText(core.origin).waitFor();
    expect(await addresses.getByRole('button').count()).toBe(1);
    expect(shown.faults).toEqual([]);
  });
});

describe('a request of another program', () => {
  it('comes up on top, is approved with the keyboard alone, and gives the focus back', async () => {
    shown = await stage.open();
    const { page, core } = shown;
    await page.getByRole('link', { name: text.home.seeCertificates }).focus();
    const tcn = await core.ask(fromProgram('Petição.txt', 'Anexo.txt'));
    await page.getByRole('dialog', { name: text.approval.title }).waitFor();
    await page.getByText('Processo Eletrônico Exemplo').first().waitFor();
    await page.locator('[role=dialog]:focus, [role=dialog] :focus').waitFor();
    await page.keyboard.press('Enter');
    expect(inputsOf('approvals.decide')).toEqual([]);
    await page.getByRole('button', { name: text.approval.approve, disabled: false }).waitFor();
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
    for (let presses = 0; presses < 12 && (await focused()) !== text.approval.approve; presses++) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(inputsOf('approvals.decide')).toEqual([{ tcn, decision: 'approve' }]);
    expect(await focused()).toBe(text.home.seeCertificates);
    expect(shown.faults).toEqual([]);
  });

  it('closes by itself when the program hangs up', async () => {
    shown = await stage.open();
    const tcn = await shown.core.ask(fromProgram('Petição.txt'));
    await shown.page.getByRole('dialog').waitFor();
    await fetch(`${shown.core.origin}/signature-service/${tcn}`, { method: 'DELETE' });
    await shown.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(shown.faults).toEqual([]);
  });

  it('asks for the PIN of a locked token once, and signs', async () => {
    const token = await createSoftHsm([{ label: 'sinete', keys: [{ label: 'a3', keyId: '01', kind: 'ec-p256' }] }]);
    shown = await stage.open({ token });
    const { page, core } = shown;
    const [key] = (await core.calls['certificates.list']({})).filter(({ source }) => source === 'token');
    const tcn = await core.ask({ ...fromProgram('a.txt', 'b.txt'), certificate_alias: key?.alias });
    await page.getByRole('dialog').waitFor();
    await page.getByRole('button', { name: text.approval.approve }).click();
    await page.getByRole('dialog', { name: text.certificates.unlockDialog.title }).waitFor();
    expect(await page.getByText(text.approval.approved).count()).toBe(0);
    const pin = page.getByLabel(text.certificates.unlockDialog.pin, { exact: true });
    await pin.fill(token.pin);
    await pin.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => core.statusOf(tcn), { timeout: 20_000 }).toBe('SIGNED');
    // The requested action continues by itself, and no notice covers the page.
    expect(await page.getByText(text.certificates.unlockedNow).count()).toBe(0);
    await token.remove();
    expect(shown.faults).toEqual([]);
  });

  it('is refused, and the next in line comes up', async () => {
    let first = '';
    shown = await stage.open({
      prepare: async (core) => {
        first = await core.ask(fromProgram('a.txt'));
        await core.ask(fromProgram('b.txt'));
      },
    });
    const { page } = shown;
    await page.getByText('1 de 2').waitFor();
    await page.getByRole('button', { name: text.approval.refuse }).press('Enter');
    await page.getByRole('dialog').getByText('b.txt').first().waitFor();
    expect(inputsOf('approvals.decide')).toEqual([{ tcn: first, decision: 'refuse' }]);
  });
});

describe('the session', () => {
  it('opens by a link, takes the key out of the address, and survives a reload', async () => {
    shown = await stage.open();
    const { page } = shown;
    await page.getByText(text.home.ready).waitFor();
    expect(page.url()).not.toContain('key');
    await page.reload();
    await page.getByText(text.home.ready).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('keeps the key of its link during an early change of the page', async () => {
    shown = await stage.prepare();
    const { page, core } = shown;
    await page.addInitScript(() => {
      const look = (): void => {
        const link = document.querySelector<HTMLAnchorElement>('nav a[href="#/history"]');
        if (link === null) requestAnimationFrame(look);
        else link.click();
      };
      requestAnimationFrame(look);
    });
    await page.goto(core.link());
    await page.getByRole('heading', { name: text.history.title, level: 1 }).waitFor();
    await page.getByText(text.history.none).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('cannot begin without the scripts of the first page, and says so', async () => {
    shown = await stage.prepare();
    const { page, core } = shown;
    await page.route('**/assets/soon-*.js', (route) => route.abort());
    await page.goto(core.link());
    await page.getByText(text.session.unreachableTitle).waitFor();
    await page.getByRole('button', { name: text.common.retry }).waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/\b[a-z]+\.[a-z]\w+\b/i);
    await page.unroute('**/assets/soon-*.js');
    await page.getByRole('button', { name: text.common.retry }).click();
    await page.getByText(text.home.ready).waitFor();
  });

  it('is asked for when the page is opened without a link', async () => {
    shown = await stage.prepare();
    await shown.page.goto(`${shown.core.origin}/ui/`);
    await shown.page.getByText(text.session.noSessionTitle).waitFor();
    expect(await stage.axe(shown.page)).toEqual([]);
    expect(shown.faults).toEqual([]);
  });

  it('ends with a page about new links, and opens again by a new link in the same tab', async () => {
    shown = await stage.open();
    const { page, core } = shown;
    await page.getByText(text.home.ready).waitFor();
    await core.restart();
    await page.getByText(text.session.endedTitle).waitFor();
    await page.getByText('npx sinete link').waitFor();
    await page.goto(core.link());
    await page.getByText(text.home.ready).waitFor();
  });

  it('repeats the refused calls after a new link', async () => {
    shown = await stage.open({ prepare: async (core) => core.sign('Contrato.pdf', pdfOf('Contrato')) });
    const { page, core } = shown;
    await page.getByText(text.home.ready).waitFor();
    await page.route('**/ui/rpc', (route) => route.fulfill({ status: 401, body: '{}' }));
    await page.evaluate(() => (location.hash = '#/history'));
    await page.getByText(text.session.endedTitle).waitFor();
    await page.unroute('**/ui/rpc');
    await page.evaluate((key) => (location.hash = key), new URL(core.link()).hash);
    await page.getByText(text.home.ready).waitFor();
    await page.evaluate(() => (location.hash = '#/history'));
    await page.getByRole('cell', { name: 'Contrato.pdf' }).first().waitFor({ timeout: 20_000 });
  });

  it('is refused for a used link', async () => {
    shown = await stage.prepare();
    await shown.page.goto(`${shown.core.origin}/ui/#key=usado`);
    await shown.page.getByText(text.session.refusedTitle).waitFor();
  });

  it('goes on after a broken event stream, with the changes of the meantime', async () => {
    shown = await stage.prepare();
    const { page, core } = shown;
    await page.addInitScript(holdEventStreams);
    await page.goto(core.link());
    await page.getByText(text.home.ready).waitFor();
    await page.evaluate(() => (globalThis as unknown as EventStreams).breakStream());
    await core.ask(fromProgram('a'));
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.evaluate(() => (globalThis as unknown as EventStreams).letConnect());
    await page.getByRole('dialog').waitFor();
  });
});

describe('display preferences', () => {
  it('change the language and the colours at once and are remembered', async () => {
    shown = await stage.open();
    const { page } = shown;
    await page.getByRole('button', { name: text.preferences.title }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByText(texts.en.home.ready).waitFor();
    await page.getByRole('button', { name: texts.en.preferences.title }).click();
    await page.getByRole('menuitemradio', { name: texts.en.preferences.dark }).click();
    await page.reload();
    await page.getByText(texts.en.home.ready).waitFor();
    const { lang, scheme } = await page.evaluate(() => ({
      lang: document.documentElement.lang,
      scheme: document.documentElement.dataset.mantineColorScheme,
    }));
    expect({ lang, scheme }).toEqual({ lang: 'en', scheme: 'dark' });
    expect(shown.faults).toEqual([]);
  });
});

describe('the font of the window', () => {
  it('comes with the window, and draws its texts in every weight', async () => {
    shown = await stage.open();
    const { page, faults } = shown;
    const loaded = await page.evaluate(async () => {
      await document.fonts.ready;
      const family = getComputedStyle(document.querySelector('h1') ?? document.body).fontFamily.split(',')[0] ?? '';
      const states = [...document.fonts].map(({ status }) => status);
      const [font] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.woff2'));
      // The page itself asks for the font, before its styles do: texts appear in their final widths.
      const askedBy = (font as PerformanceResourceTiming | undefined)?.initiatorType;
      return { family, askedBy, isThere: states.includes('loaded'), hasFailed: states.includes('error') };
    });
    expect(loaded).toEqual({ family: '"Inter Variable"', askedBy: 'link', isThere: true, hasFailed: false });
    expect(faults).toEqual([]);
  });
});
