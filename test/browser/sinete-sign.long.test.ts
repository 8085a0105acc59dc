import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { clientFolder } from '../../src/app/instance/start-sinete.ts';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import type { CallHandlers } from '../../src/ui-contract/ui-contract.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { startLoopbackServer, type LoopbackServer } from '../network/loopback-server.ts';
import { Axe } from '../renderer/axe.ts';
import { launchChromium } from '../renderer/browser.ts';
import { refreshClient } from '../setup/built-client.ts';

/** The example page of `<sinete-sign>`, as docs/examples has it, on a site of its own. */

let instance: RealInstance;
let calls: CallHandlers;
let site: LoopbackServer;
let browser: Browser;
let closeWindow: () => void;
const user = { letsIn: true, approves: true };

beforeAll(async () => {
  await refreshClient();
  instance = await startRealInstance();
  calls = instance.sinete.handlers['user-interface'];
  const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: '11144477735' });
  await calls['certificates.import']({ file: (await writePkcs12(person, 'x')).toString('base64'), password: 'x' });
  closeWindow = instance.openWindow(({ name }) => void decide(name));
  const example = await readFile(join(import.meta.dirname, '../../docs/examples/sinete-sign.html.txt'), 'utf8');
  site = await startLoopbackServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    const ports = searchParams.get('ports') ?? String(instance.port);
    if (pathname === '/') {
      response.setHeader('Content-Type', 'text/html');
      // A page's policy without inline style sheets, apart from the example's own.
      response.end(example.replace('<sinete-sign ', `<sinete-sign ports="${ports}" `));
      return;
    }
    readFile(join(clientFolder, pathname)).then(
      (content) => {
        response.setHeader('Content-Type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html');
        response.end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  browser = await launchChromium();
});
afterAll(async () => {
  closeWindow();
  await browser.close();
  await site.close();
  await instance.stop();
});

async function decide(event: string): Promise<void> {
  if (event === 'consent-changed') {
    for (const { id, wanted } of await calls['consent.questions']({})) {
      const answer = user.letsIn ? ({ allow: true, scopes: wanted, days: 1 } as const) : ({ allow: false } as const);
      await calls['consent.answer']({ id, ...answer }).catch(() => undefined);
    }
  }
  if (event === 'transaction-changed') {
    for (const { tcn, waitingFor } of (await calls['home.read']({})).waiting) {
      if (waitingFor !== 'approval') continue;
      await calls['approvals.decide']({ tcn, decision: user.approves ? 'approve' : 'refuse' }).catch(() => undefined);
    }
  }
}

async function openPage(query = ''): Promise<Page> {
  const page = await browser.newPage({ locale: 'pt-BR' });
  await page.goto(`${site.origin}/${query}`);
  return page;
}

const pdf = Buffer.from(writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: 'x' }, new Date()));
const file = (name: string) => ({ name, mimeType: 'application/pdf', buffer: pdf });

describe('<sinete-sign> on a plain page', () => {
  it('signs the chosen files with their progress, and links the results', async () => {
    const page = await openPage();
    await page.evaluate(() => {
      const world = globalThis as unknown as { phases: string[] };
      world.phases = [];
      document.addEventListener('sinete-progress', (event) => {
        const { phase } = (event as CustomEvent<{ readonly phase: string }>).detail;
        if (world.phases.at(-1) !== phase) world.phases.push(phase);
      });
    });
    await page.getByLabel('Arquivos para assinar').setInputFiles([file('contrato.pdf'), file('anexo.pdf')]);
    await page.getByRole('button', { name: 'Assinar com o Sinete' }).click();
    await page.getByRole('status').getByText('2 de 2 assinados.').waitFor();
    expect(await page.getByRole('list', { name: 'Arquivos assinados' }).getByRole('link').allTextContents()).toEqual([
      'contrato-signed.pdf',
      'anexo-signed.pdf',
    ]);
    const phases = await page.evaluate(() => (globalThis as unknown as { phases: string[] }).phases);
    expect([phases[0], phases.at(-1)]).toEqual(['uploading', 'finished']);
    expect(await page.locator('sinete-sign').getAttribute('state')).toBe('done');
    await page.close();
  });

  it('has no fault of accessibility, before a signature and after an error', async () => {
    const page = await openPage('?ports=1');
    const axe = await Axe.load();
    expect(await axe.findings(page)).toEqual([]);
    await page.getByLabel('Arquivos para assinar').setInputFiles([file('contrato.pdf')]);
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Assinar com o Sinete' }).press('Enter');
    await page.getByRole('status').getByText('O Sinete não foi encontrado neste computador').waitFor();
    const help = await page.getByRole('link', { name: 'Mostre como' }).getAttribute('href');
    expect(help).toBe(`${site.origin}/sinete-help.html#install-pt`);
    expect(await axe.findings(page)).toEqual([]);
    await page.close();
  });

  it('asks for files before anything else', async () => {
    const page = await openPage();
    await page.getByRole('button', { name: 'Assinar com o Sinete' }).click();
    await page.getByRole('status').getByText('Escolha pelo menos um arquivo.').waitFor();
    await page.close();
  });

  it('signs through the bridge window with the attribute way, and closes the window', async () => {
    const page = await openPage();
    await page.locator('sinete-sign').evaluate((element) => element.setAttribute('way', 'bridge'));
    await page.getByLabel('Arquivos para assinar').setInputFiles([file('contrato.pdf')]);
    const opening = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Assinar com o Sinete' }).click();
    const bridge = await opening;
    const closed = bridge.waitForEvent('close');
    await page.getByRole('status').getByText('1 de 1 assinados.').waitFor();
    await closed;
    const created = (await calls['audit.list']({ limit: 50 })).filter(({ kind }) => kind === 'transaction-created');
    const marks = created.map(({ detail }) => (JSON.parse(detail) as { readonly byBridge?: unknown }).byBridge);
    expect([marks.filter((mark) => mark === true).length, created.length > 1]).toEqual([1, true]);
    await page.close();
  });

  it('says that the work ended with the bridge window', async () => {
    user.approves = false;
    const page = await openPage();
    await page.locator('sinete-sign').evaluate((element) => element.setAttribute('way', 'bridge'));
    await page.getByLabel('Arquivos para assinar').setInputFiles([file('contrato.pdf')]);
    const opening = page.waitForEvent('popup');
    closeWindow();
    closeWindow = instance.openWindow();
    await page.getByRole('button', { name: 'Assinar com o Sinete' }).click();
    const bridge = await opening;
    await page.getByRole('status').getByText('Aprove a assinatura na janela do Sinete.').waitFor();
    await bridge.close();
    await page.getByRole('status').getByText('A janela do Sinete foi fechada antes do fim').waitFor();
    await page.close();
  });
});
