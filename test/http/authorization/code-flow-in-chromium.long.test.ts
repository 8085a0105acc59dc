import { mkdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../renderer/browser.ts';
import { OAuthWorld } from './oauth-world.ts';

/** The code flow with PKCE as people and browsers see it: an application's page, ours, and back. */

const telephone = { width: 360, height: 740 };
const axeSource = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));
/** Where pictures of the pages go when somebody wants to look at them. */
const pictures = process.env['SINETE_TEST_PICTURES'];

let world: OAuthWorld;
let browser: Browser;
let application: Server;
let elsewhere: Server;
let origin: string;
let clientId: string;

beforeAll(async () => {
  world = await OAuthWorld.open();
  browser = await launchChromium();
  elsewhere = createServer((_request, response) => {
    response.end('Elsewhere');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  application = createServer((request, response) => {
    // An application may go on to another of its origins.
    if (request.url?.startsWith('/onward') === true) {
      const { port } = elsewhere.address() as AddressInfo;
      response.writeHead(302, { Location: `http://127.0.0.1:${port}/arrived` }).end();
      return;
    }
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end('<!doctype html><html lang="en"><title>Application</title><body>Application</body></html>');
  });
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(application.address() as AddressInfo).port}`;
  const registered = await world.identity.applications.registerPublic({
    name: 'Portal de Contratos',
    comments: '',
    email: '',
    redirectUris: [`${origin}/back`, `${origin}/onward`],
  });
  clientId = registered.application.clientId;
});
afterAll(async () => {
  await browser.close();
  application.close();
  elsewhere.close();
  await world.close();
});

interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
}

/** Opens the application's page, which makes a verifier and goes to the authorize page. */
async function visit(locale: string, parameters: Readonly<Record<string, string>> = {}): Promise<Visit> {
  const context = await browser.newContext({ locale, viewport: telephone, javaScriptEnabled: true });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${origin}/`);
  const fixed = { client_id: clientId, response_type: 'code' };
  const start = { redirect_uri: `${origin}/back`, ...parameters, ...fixed };
  await page.evaluate(
    async ([helper, query]) => {
      const data = crypto.getRandomValues(new Uint8Array(32));
      const text = (bytes: Uint8Array): string =>
        btoa(String.fromCharCode(...bytes))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replaceAll('=', '');
      const verifier = text(data);
      sessionStorage.setItem('verifier', verifier);
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
      const challenge = text(new Uint8Array(digest));
      location.href = `${helper}/oauth/authorize?${query}&code_challenge=${challenge}&code_challenge_method=S256`;
    },
    [world.server.url, new URLSearchParams(start).toString()] as const,
  );
  await page.waitForURL(/\/oauth\/authorize/);
  return { context, page, complaints };
}

/** The application's page exchanges its code, as a page without a server does. */
async function exchange(page: Page): Promise<Record<string, unknown>> {
  await page.waitForURL(/\/back\?/);
  return page.evaluate(
    async ([helper, client]) => {
      const answer = await fetch(`${helper}/oauth`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          grant_type: 'authorization_code',
          code: new URLSearchParams(location.search).get('code'),
          redirect_uri: `${location.origin}/back`,
          client_id: client,
          code_verifier: sessionStorage.getItem('verifier'),
        }),
      });
      return (await answer.json()) as Record<string, unknown>;
    },
    [world.server.url, clientId] as const,
  );
}

/** Findings of axe, and whether the page is wider than the telephone. */
async function inspect(page: Page, name: string): Promise<readonly string[]> {
  if (pictures !== undefined) {
    await mkdir(pictures, { recursive: true });
    await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  }
  // The page's own policy allows no script: axe runs in a copy of the page without it.
  const copy = await page.context().newPage();
  await copy.setContent((await page.content()).replaceAll(/<meta http-equiv="refresh"[^>]*>/g, ''));
  await copy.evaluate(await readFile(axeSource, 'utf8'));
  const found = await copy.evaluate(async () => {
    interface Axe {
      readonly run: (root: Document) => Promise<{ readonly violations: readonly { readonly id: string }[] }>;
    }
    const { axe } = globalThis as unknown as { readonly axe: Axe };
    const { violations } = await axe.run(document);
    return violations.map(({ id }) => id);
  });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  await copy.close();
  return width > telephone.width ? [...found, `wider than a telephone: ${width}`] : found;
}

describe('the code flow with PKCE in Chromium', () => {
  it.each([
    ['pt-BR', 'CPF ou CNPJ', 'Senha de uso único', 'Autorizar'],
    ['en-US', 'CPF or CNPJ', 'One-time password', 'Authorize'],
  ])('ends with a token after the one-time password, in %s', async (locale, username, password, allow) => {
    const state = 'ação & more';
    const { context, page, complaints } = await visit(locale, { state, scope: 'multi_signature' });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Portal de Contratos');
    expect(await inspect(page, `password-${locale}`)).toEqual([]);
    await page.getByLabel(username).fill('111.444.777-35');
    await page.getByLabel(password).fill('000000');
    await page.getByRole('button', { name: allow, exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await inspect(page, `wrong-code-${locale}`)).toEqual([]);
    world.identity.pass(30);
    await page.getByLabel(password).fill(world.ana.code());
    await page.getByRole('button', { name: allow, exact: true }).click();
    const token = await exchange(page);
    expect(token).toMatchObject({ token_type: 'bearer', scope: 'multi_signature' });
    expect(new URL(page.url()).searchParams.get('state')).toBe(state);
    const grant = await world.identity.authorization.readToken(String(token.access_token));
    expect(grant).toMatchObject({ username: world.ana.username, clientId, consented: true });
    // The status of the refused form is all that the browser complains of.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
    await context.close();
  });

  it('ends with a token after the approval on this computer, without a code', async () => {
    world.selected = { name: 'Ana Lima', username: world.ana.username };
    const { context, page, complaints } = await visit('pt-BR', { integration: 'true' });
    expect(await inspect(page, 'ways-pt-BR')).toEqual([]);
    await page.getByRole('button', { name: /Aprovar neste computador/ }).click();
    await page.getByRole('status').waitFor();
    expect(await inspect(page, 'waiting-pt-BR')).toEqual([]);
    const [question] = await world.requests.waiting();
    expect(question?.person.name).toBe('Ana Lima');
    await world.requests.decide(question?.id ?? '', 'allow');
    expect(await exchange(page)).toMatchObject({ scope: 'signature_session' });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('explains why a telephone does not reach this computer, and goes back', async () => {
    const { context, page } = await visit('pt-BR', { integration: 'true' });
    await page.getByRole('button', { name: /Com o meu telefone/ }).click();
    await page.getByText('somente neste computador').waitFor();
    expect(await inspect(page, 'telephone-pt-BR')).toEqual([]);
    await page.getByRole('button', { name: 'Voltar' }).click();
    await page.getByRole('button', { name: /Senha de uso único/ }).click();
    await page.getByRole('button', { name: 'Recusar' }).click();
    await page.waitForURL(/\/back\?error=access_denied/);
    await context.close();
  });

  it('lets the application go on to another origin', async () => {
    const { context, page } = await visit('en-US', { redirect_uri: `${origin}/onward` });
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.waitForURL(/\/arrived$/);
    await context.close();
  });

  it('works without scripts', async () => {
    const context = await browser.newContext({ locale: 'en-US', javaScriptEnabled: false });
    const page = await context.newPage();
    const query = new URLSearchParams({
      client_id: world.client.id,
      response_type: 'code',
      redirect_uri: 'http://127.0.0.1:9999/second',
    });
    await page.goto(`${world.server.url}/oauth/authorize?${query.toString()}`);
    await page.getByRole('button', { name: 'Other ways to authorize' }).click();
    await page.getByRole('button', { name: /One-time password/ }).click();
    await page.getByLabel('CPF or CNPJ').fill(world.ana.username);
    world.identity.pass(30);
    await page.getByLabel('One-time password').fill(world.ana.code());
    const left = page.waitForRequest(/127\.0\.0\.1:9999\/second\?code=/);
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await left;
    await context.close();
  });

  it('cannot be framed, and its form cannot be posted from elsewhere', async () => {
    const { context, page } = await visit('en-US');
    const request = await page.locator('input[name="request"]').getAttribute('value');
    await page.goto(`${origin}/`);
    const framed = page.waitForResponse((response) => response.url().includes('/oauth/authorize'));
    await page.evaluate((address) => {
      const frame = document.createElement('iframe');
      frame.src = address;
      document.body.append(frame);
    }, `${world.server.url}/oauth/authorize?response_type=code&client_id=${clientId}`);
    expect((await framed).status()).toBe(403);
    const answer = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.evaluate(
      ([address, id]) => {
        const form = document.createElement('form');
        form.method = 'post';
        form.action = address;
        form.innerHTML = `<input name="request" value="${id}"><input name="decision" value="refuse">`;
        document.body.append(form);
        form.submit();
      },
      [`${world.server.url}/oauth/authorize`, request ?? ''] as const,
    );
    expect((await answer).status()).toBe(403);
    expect(await world.requests.find(request ?? '')).toBeDefined();
    await context.close();
  });
});
