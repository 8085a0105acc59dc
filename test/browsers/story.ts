/**
 * A page written from docs/integrators/web-page.md signs two files: a first visit without Sinete, then with both
 * questions, then from plain http by the bridge window.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { letTimePass, until } from '../setup/waits.ts';
import { WindowedBrowser } from './browser.ts';
import type { BrowserName, Place } from './rows.ts';
import { deadPort, type Stage } from './run-row.ts';
import type { ToldSearch } from './site.ts';

/** The page of an integrator. Its button signs two files, and it tells the user each step. */
const storyScript = `
import { Sinete, SineteError } from '/client.js';
const query = new URLSearchParams(location.search);
const id = query.get('id');
const tell = (told) => fetch('/told', { method: 'POST', body: JSON.stringify({ id, ...told }) });
const [button, status, help, results] = ['sign', 'status', 'help', 'results'].map((name) => document.getElementById(name));
const texts = await Promise.all(['contrato.pdf', 'anexo.pdf'].map((name) => fetch('/' + name).then((file) => file.blob())));
const files = texts.map((text, index) => new File([text], ['contrato.pdf', 'anexo.pdf'][index], { type: 'application/pdf' }));
const phases = [];
const words = { uploading: 'Enviando os arquivos…', approval: 'Aprove na janela do Sinete.', pin: 'Digite o PIN na janela do Sinete.', signing: 'Assinando…', finished: 'Pronto.' };
function show({ phase, signed, documents }) {
  if (phases.at(-1) !== phase) phases.push(phase);
  status.textContent = words[phase] + ' ' + signed + '/' + documents;
}
button.onclick = async () => {
  tell({ stage: 'searching' });
  status.textContent = 'Procurando o Sinete…';
  try {
    const sinete = await Sinete.find({ ports: query.get('ports').split(',').map(Number) });
    const signed = await sinete.sign(files, { type: 'PAdES', onProgress: show });
    for (const file of signed) {
      if (file.status !== 'SIGNED') continue;
      const result = await file.download();
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = URL.createObjectURL(result);
      link.download = link.textContent = result.name;
      item.append(link);
      results.append(item);
    }
    status.textContent = results.childElementCount + ' de ' + signed.length + ' assinados.';
    const way = sinete.way;
    sinete.close();
    await tell({ found: way, message: results.childElementCount + ' signed: ' + phases.join(', ') });
  } catch (error) {
    if (!(error instanceof SineteError)) throw error;
    status.textContent = error.forUser['pt-BR'];
    help.href = error.help ?? '';
    help.hidden = error.help === undefined;
    await tell({ code: error.code, message: error.help ?? error.message });
  }
};
await tell({ stage: 'ready' });
`;

const storyPage = `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><title>Processo eletrônico</title>
<style>body { font: 1.25rem/1.5 system-ui, sans-serif; margin: 0 } main { max-width: 60rem; margin: 1rem auto } button { font: inherit; width: 100%; height: 55vh } [hidden] { display: none }</style>
<main><h1>Processo eletrônico</h1><button id="sign" type="button">Assinar contrato.pdf e anexo.pdf</button>
<p id="status" role="status"></p><p><a id="help" hidden>Mostre como</a></p><ul id="results"></ul></main>
<script type="module" src="/story.js"></script>`;

/** Answers the questions of Sinete as its user would in the window: lets the site in, and approves. */
function answerAsUser(instance: RealInstance, asked: string[]): () => void {
  const calls = instance.sinete.handlers['user-interface'];
  const decide = async (event: string): Promise<void> => {
    if (event === 'consent-changed') {
      for (const { id, origin, wanted } of await calls['consent.questions']({})) {
        asked.push(origin);
        await calls['consent.answer']({ id, allow: true, scopes: wanted, days: 1 }).catch(() => undefined);
      }
    }
    if (event === 'transaction-changed') {
      for (const { tcn, waitingFor } of (await calls['home.read']({})).waiting) {
        if (waitingFor === 'approval')
          await calls['approvals.decide']({ tcn, decision: 'approve' }).catch(() => undefined);
      }
    }
  };
  return instance.openWindow(({ name }) => void decide(name));
}

/** One visit of the page, to its end. */
async function visit(
  stage: Stage,
  browser: BrowserName,
  parts: {
    readonly place: Place;
    readonly port: number;
    readonly picture: string | undefined;
    /** True if the browser asks its user, who allows. */
    readonly isAsked: boolean;
  },
): Promise<ToldSearch> {
  const id = randomUUID();
  const { site, screen } = stage;
  const address = site.address(parts.place, { id, ports: String(parts.port) }).replace('/?', '/story.html?');
  const opened = await WindowedBrowser.open(browser, { screen, site, address, folder: join(stage.folder, id) });
  const picture = async (name: string): Promise<void> => {
    if (parts.picture !== undefined) await screen.picture(`${parts.picture}-${name}.png`);
  };
  try {
    await stage.press(id);
    if (parts.isAsked) {
      await letTimePass(3000);
      await picture('question');
      await until(async () => {
        if (!site.hasTold(id)) await opened.answer('allow');
        for (let left = 30; left > 0 && !site.hasTold(id); left -= 1) await letTimePass(100);
        return site.hasTold(id);
      }, 'the page is done after the question');
    }
    const told = await site.told(id);
    await letTimePass(700);
    await picture('end');
    return told;
  } finally {
    await opened.close();
  }
}

/** The story in a browser; the differences from the expectation. `pictures`: a folder for pictures of the screen. */
export async function runStory(stage: Stage, browser: BrowserName, pictures?: string): Promise<readonly string[]> {
  const { site } = stage;
  const pdf = (title: string): Buffer =>
    Buffer.from(writeTextPdf({ title, paragraphs: ['Texto.'], footer: 'x' }, new Date()));
  site.extra.set('/story.html', { type: 'text/html', content: storyPage });
  site.extra.set('/story.js', { type: 'text/javascript', content: storyScript });
  site.extra.set('/contrato.pdf', { type: 'application/pdf', content: pdf('Contrato') });
  site.extra.set('/anexo.pdf', { type: 'application/pdf', content: pdf('Anexo') });
  const wrong: string[] = [];
  const expectTold = (step: string, told: ToldSearch, expected: Partial<ToldSearch>, says: RegExp): void => {
    for (const [name, value] of Object.entries(expected)) {
      const got = told[name as keyof ToldSearch];
      if (got !== value) wrong.push(`${step}: ${name} is ${String(got)} instead of ${value}`);
    }
    if (!says.test(told.message ?? '')) wrong.push(`${step}: ${told.message ?? ''} does not match ${String(says)}`);
  };
  const pictureOf = (step: string): string | undefined =>
    pictures === undefined ? undefined : join(pictures, `${browser}-${step}`);
  const port = await deadPort();
  // WebKit's small browser lets no request through, and has no question.
  const hasQuestion = browser !== 'webkit';
  if (hasQuestion) {
    const first = await visit(stage, browser, {
      place: 'https',
      port,
      isAsked: false,
      picture: pictureOf('1-not-installed'),
    });
    expectTold('without Sinete', first, { code: 'NOT_INSTALLED' }, /sinete-help\.html#install/);
  }
  const instance = await startRealInstance({ port });
  const asked: string[] = [];
  const close = answerAsUser(instance, asked);
  try {
    const calls = instance.sinete.handlers['user-interface'];
    const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: '11144477735' });
    await calls['certificates.import']({ file: (await writePkcs12(person, 'x')).toString('base64'), password: 'x' });
    if (hasQuestion) {
      const second = await visit(stage, browser, {
        place: 'https',
        port,
        isAsked: true,
        picture: pictureOf('2-two-questions'),
      });
      expectTold('with both questions', second, { found: 'direct' }, /^2 signed: uploading, .*finished$/);
      if (asked[0] !== `https://portal.example:${site.securePort}`)
        wrong.push(`Sinete asked about ${asked.join(', ')}`);
    }
    // The proxy of WebKit's small browser takes the place of the port.
    const origin = hasQuestion ? `http://portal.example:${site.plainPort}` : 'http://portal.example';
    await calls['sites.change']({ origin, scopes: ['sign'], days: 1, insecure: true });
    const third = await visit(stage, browser, { place: 'http', port, isAsked: false, picture: pictureOf('3-bridge') });
    expectTold('from plain http', third, { found: 'bridge' }, /^2 signed: uploading, .*finished$/);
  } finally {
    close();
    await instance.stop();
  }
  return wrong;
}
