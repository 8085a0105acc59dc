import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { TOTP, URI } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveExamplePage, type ExamplePage } from '../../src/app/demo/serve-example-page.ts';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { clientFolder } from '../../src/app/instance/start-sinete.ts';
import { verifyPdf } from '../../src/signing/index.ts';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import type { CallHandlers } from '../../src/ui-contract/ui-contract.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { launchChromium } from '../renderer/browser.ts';

/** The client for web pages, in a page of another origin, with a real instance and its user behind. */

const person = { name: 'ANA LIMA', cpf: '11144477735' };
let instance: RealInstance;
let calls: CallHandlers;
let site: ExamplePage;
let browser: Browser;
let folder: string;
let closeWindow: () => void;
/** The user's answers to questions about sites and signatures. */
const user = { letsIn: true, approves: true };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-page-'));
  instance = await startRealInstance();
  calls = instance.sinete.handlers['user-interface'];
  const holder = await issueTestPerson(await createTestAuthority(), person);
  await calls['certificates.import']({ file: (await writePkcs12(holder, 'x')).toString('base64'), password: 'x' });
  site = await serveExamplePage(instance.port);
  browser = await launchChromium();
  closeWindow = instance.openWindow(({ name }) => {
    void decide(name);
  });
});
afterAll(async () => {
  closeWindow();
  await browser.close();
  await site.close();
  await instance.stop();
  await rm(folder, { recursive: true });
});

/** Plays the user in front of the window. */
async function decide(event: string): Promise<void> {
  if (event === 'consent-changed') {
    for (const { id, scopes } of await calls['consent.questions']({})) {
      const answer = user.letsIn ? ({ allow: true, scopes, days: 1 } as const) : ({ allow: false } as const);
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

async function openPage(link = site.link): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(link);
  return page;
}

async function find(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Find Sinete' }).click();
  await page.locator('#helper').getByText('Found version').waitFor();
}

const pdf = writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: 'x' }, new Date());
const contract = { name: 'contrato.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf) };

describe('the client for web pages', () => {
  it('is served with its types, and is small', async () => {
    const script = await fetch(`${instance.url}/client.js`);
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    const text = await script.text();
    expect(text).toBe(await readFile(join(clientFolder, 'client.js'), 'utf8'));
    expect(gzipSync(text).length).toBeLessThan(10_000);
    expect(text).not.toMatch(/\bimport\b\s*[{*'"]/);
    expect(await (await fetch(`${instance.url}/client.d.ts`)).text()).toContain('export declare class Sinete');
  });

  it('says nothing is there when no port answers', async () => {
    const page = await openPage(`${site.origin}/?port=1`);
    await page.getByRole('button', { name: 'Find Sinete' }).click();
    await page.locator('#helper.problem').waitFor();
    expect(await page.locator('#helper').textContent()).toMatch(/was not found on this computer|does not answer/);
    await page.close();
  });

  it("tells the user's refusal apart", async () => {
    user.letsIn = false;
    const other = await serveExamplePage(instance.port);
    const page = await openPage(other.link);
    await find(page);
    await page.getByRole('button', { name: 'Ask for the user' }).click();
    await page.locator('#user').getByText('Sinete did not let this site in').waitFor();
    await page.close();
    await other.close();
    user.letsIn = true;
  });

  it('signs files with their progress, and gives back and validates the results', async () => {
    const page = await openPage();
    await find(page);
    await page.getByRole('button', { name: 'Ask for the user' }).click();
    await page.locator('#user').getByText('Nobody is selected').waitFor();
    await page.locator('#files').setInputFiles([contract, { ...contract, name: 'petição.pdf' }]);
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.locator('#state').getByText('2 of 2 signed').waitFor();
    await page.locator('#results li').nth(1).getByText('intact').waitFor();
    expect(await page.locator('#results a').allTextContents()).toEqual(['contrato-signed.pdf', 'petição-signed.pdf']);
    const download = page.waitForEvent('download');
    await page.locator('#results a').first().click();
    const path = join(folder, 'signed.pdf');
    await (await download).saveAs(path);
    const { signatures } = await verifyPdf(path);
    expect(signatures.map(({ outcome }) => outcome)).toEqual(['intact']);
    await page.close();
  });

  it("reports the user's refusal for each file", async () => {
    user.approves = false;
    const page = await openPage();
    await find(page);
    await page.locator('#files').setInputFiles([contract]);
    await page.getByRole('button', { name: 'Sign', exact: true }).click();
    await page.locator('#state.problem').getByText('0 of 1 signed').waitFor();
    expect(await page.locator('#results').textContent()).toContain('contrato.pdf');
    await page.close();
    user.approves = true;
  });
});

/** A code belonging to the secret of an enrolment, from the unused step. */
function codeOf(otpauthUri: string, stepsAhead = 0): string {
  const totp = URI.parse(otpauthUri);
  if (!(totp instanceof TOTP)) throw new Error('It is not time-based.');
  return totp.generate({ timestamp: Date.now() + stepsAhead * 30_000 });
}

describe('the whole story', () => {
  it('goes from a fresh computer to two PDFs signed with a token for a web application', async () => {
    const registered = await instance.send('POST', '/application', { fields: { client_name: 'Computer of Ana' } });
    expect([registered.status, registered.content.detail]).toEqual([201, expect.objectContaining({ code: 1018 })]);

    const offer = await calls['users.begin']({ name: person.name, username: person.cpf });
    const { recoveryCodes } = await calls['users.confirm']({
      enrolment: offer.enrolment,
      code: codeOf(offer.otpauthUri),
    });
    const added = await instance.send('POST', '/user', {
      fields: { username: '111.444.777-35', password: codeOf(offer.otpauthUri, 1) },
    });
    expect([added.status, added.content.detail]).toEqual([201, expect.objectContaining({ code: 1128 })]);
    const selected = await instance.send('PUT', '/selected-user', { fields: { username: person.cpf } });
    expect(selected.content.detail).toMatchObject({ code: 1126 });

    const page = await openPage();
    await find(page);
    await page.getByRole('button', { name: 'Ask for the user' }).click();
    await page.locator('#user').getByText('ANA LIMA signs').waitFor();
    expect(await page.locator('#certificate option').count()).toBe(2);

    const application = await instance.send('POST', '/v0/oauth/application', {
      json: { name: 'Portal', comments: 'Contracts', redirect_uris: [`${site.origin}/`], email: 'it@portal.example' },
    });
    expect(application.status).toBe(201);
    const token = await obtainToken(page, application.content, recoveryCodes[0] ?? '');
    user.approves = false; // The token itself is the approval: nobody is asked.
    const signed = await signWithToken(page, token);
    user.approves = true;
    expect(signed.map(({ status, verdict }) => [status, verdict])).toEqual([
      ['SIGNED', true],
      ['SIGNED', true],
    ]);
    await page.close();
  });
});

/** The authorization-code flow with PKCE (RFC 7636), followed by the page of the application. */
async function obtainToken(
  page: Page,
  { client_id: clientId, client_secret: clientSecret }: Readonly<Record<string, unknown>>,
  recoveryCode: string,
): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: String(clientId),
    state: 'a state of the page',
    scope: 'signature_session',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  await page.goto(`${instance.url}/oauth/authorize?${query.toString()}`);
  await page.locator('#username').fill(person.cpf);
  await page.locator('#password').fill(recoveryCode);
  await page.locator('button[name=decision][value=allow]').click();
  await page.waitForURL(`${site.origin}/**`);
  const answer = new URL(page.url()).searchParams;
  expect(answer.get('state')).toBe('a state of the page');
  const issued = await instance.send('POST', '/oauth', {
    fields: {
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      code_verifier: verifier,
      client_id: String(clientId),
      client_secret: String(clientSecret),
      redirect_uri: `${site.origin}/`,
    },
  });
  expect([issued.status, issued.content.token_type]).toEqual([200, 'bearer']);
  return String(issued.content.access_token);
}

async function signWithToken(
  page: Page,
  token: string,
): Promise<readonly { readonly status: string; readonly verdict: boolean }[]> {
  await page.goto(site.link);
  // As text: the test's own compiler would turn the import into its own form.
  const run = `(async ({ bytes, authorization, port }) => {
    const { Sinete } = await import('/client.js');
    const sinete = await Sinete.find({ ports: [port] });
    const files = ['a.pdf', 'b.pdf'].map(
      (name) => new File([new Uint8Array(bytes)], name, { type: 'application/pdf' }),
    );
    const signed = await sinete.sign(files, { type: 'PAdES', authorization });
    return Promise.all(
      signed.map(async (file) => {
        const { detail } = await sinete.validate(await file.download(), { type: 'PAdES' });
        return { status: file.status, verdict: detail.signature.status };
      }),
    );
  })(${JSON.stringify({ bytes: [...pdf], authorization: `Bearer ${token}`, port: instance.port })})`;
  return page.evaluate<readonly { readonly status: string; readonly verdict: boolean }[]>(run);
}
