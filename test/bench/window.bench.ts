import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { readConfiguration } from '../../src/app/config/config.ts';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { startSinete, type Sinete } from '../../src/app/instance/start-sinete.ts';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { freePort, makeWorkplace, runSinete, type Workplace } from '../app/run-sinete.ts';
import { pickerOf, texts } from '../renderer/actions.ts';
import { launchChromium } from '../renderer/browser.ts';
import { builtWindow } from '../setup/built-window.ts';
import { LONG_ROUNDS, ROUNDS, interleave, lineText, median, compared } from './harness.ts';
import type { Benchmark, BenchLine, Measure } from './harness.ts';

const COUNTS = [3, 200, 2000] as const;
const text = texts['pt-BR'];

/** A folder of fresh documents in each round: no result has to make way for another. */
class Documents {
  readonly #folder: string;
  #rounds = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async with<Result>(count: number, use: (paths: readonly string[]) => Promise<Result>): Promise<Result> {
    const folder = join(this.#folder, `round-${++this.#rounds}`);
    await mkdir(folder);
    const paths = Array.from({ length: count }, (_, index) => join(folder, `contrato ${index + 1}.pdf`));
    for (const [index, path] of paths.entries()) {
      const page = {
        title: `Contrato ${index + 1}`,
        paragraphs: ['As partes combinam.'],
        footer: String(this.#rounds),
      };
      await writeFile(path, writeTextPdf(page, new Date()));
    }
    try {
      return await use(paths);
    } finally {
      await rm(folder, { recursive: true, force: true });
      await rm(join(this.#folder, 'Assinados'), { recursive: true, force: true });
    }
  }
}

/** Documents a second by the core alone: the calls of the window, with paths, without a window. */
function coreRate(sinete: Sinete, documents: Documents, count: number): Measure {
  const calls = sinete.handlers['user-interface'];
  return () =>
    documents.with(count, async (paths) => {
      const start = performance.now();
      const files = paths.map((path) => ({ path }));
      const place = { kind: 'folder', language: 'pt-BR' } as const;
      const { tcn } = await calls['sign.paths']({ type: 'PAdES', digest: 'sha256', files, place });
      const finished = new Promise<void>((resolve, reject) => {
        const stop = sinete.core.transactions.onChange((changed) => {
          if (changed !== tcn) return;
          sinete.core.transactions.query(tcn, { documents: { limit: 0 } }).then(({ finishedAt, status }) => {
            if (finishedAt === null) return;
            stop();
            if (status === 'SIGNED') resolve();
            else reject(new Error(`The batch ended with ${status}.`));
          }, reject);
        });
      });
      await calls['approvals.decide']({ tcn, decision: 'approve' });
      await finished;
      return (count * 1000) / (performance.now() - start);
    });
}

/** Documents a second in the window: from the drop to the form, and from the press to the last signature. */
function windowRate(page: Page, documents: Documents, count: number): Measure {
  return () =>
    documents.with(count, async (paths) => {
      await page.evaluate(() => (location.hash = '#/sign'));
      const submit = page.locator('form button[type=submit]');
      const picker = pickerOf(page);
      await picker.waitFor({ state: 'attached' });
      const dropped = performance.now();
      await picker.setInputFiles([...paths]);
      await submit.waitFor();
      const chosen = performance.now() - dropped;
      const pressed = performance.now();
      await submit.click();
      await page.getByText(`${count} documentos assinados`, { exact: true }).waitFor();
      const signed = performance.now() - pressed;
      await page.getByRole('button', { name: text.sign.again }).click();
      await picker.waitFor({ state: 'attached' });
      return (count * 1000) / (chosen + signed);
    });
}

async function startWindow(place: Workplace): Promise<Sinete> {
  const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: '11144477735' });
  await writeFile(join(place.folder, 'k.p12'), await writePkcs12(person, 'x'));
  await writeFile(join(place.folder, 'password'), 'x');
  const added = await runSinete(place, ['certificates', 'add', 'k.p12', '--password-file', 'password']);
  assert.equal(added.code, 0, added.stderr);
  const environment = { ...place.environment, SINETE_ARCHIVE_FOLDER: join(place.folder, 'Assinados') };
  const configuration = await readConfiguration({ dataFolder: place.data, environment });
  return startSinete({
    dataFolder: place.data,
    configuration: { ...configuration, port: await freePort() },
    rendererFolder: await builtWindow('production'),
  });
}

async function openWindow(place: Workplace, page: Page): Promise<void> {
  page.setDefaultTimeout(600_000);
  const { stdout, stderr } = await runSinete(place, ['link']);
  const [link] = /http\S+/.exec(stdout) ?? [];
  assert.ok(link, stderr);
  await page.goto(link);
  await page.locator('main h1').waitFor();
}

export const benchmark: Benchmark = {
  name: 'Files dropped on the window of a browser and signed, against the core that signs them by their paths',
  async run() {
    const place = await makeWorkplace();
    const sinete = await startWindow(place);
    const browser = await launchChromium();
    try {
      const page = await browser.newPage({ locale: 'pt-BR', viewport: { width: 1100, height: 760 } });
      await openWindow(place, page);
      const documents = new Documents(place.folder);
      const lines: BenchLine[] = [];
      for (const count of COUNTS) {
        const contenders = {
          window: windowRate(page, documents, count),
          core: coreRate(sinete, documents, count),
        };
        const figures = await interleave(contenders, count >= 2000 ? LONG_ROUNDS : ROUNDS);
        const line = {
          what: `${count} PDFs: dropped, sent, signed and flushed, RSA-2048`,
          ...compared(figures, 'window', 'core'),
          // A person waits less than a second for three files, most of it for the page.
          ...(count === 3 ? {} : { bound: { atLeast: 0.6 } }),
          detail: `${median(figures.window).toFixed(0)}/s against ${median(figures.core).toFixed(0)}/s`,
        };
        // The next line may take half an hour.
        console.error(lineText(line));
        lines.push(line);
      }
      return lines;
    } finally {
      await browser.close();
      await sinete.stop();
      await place.remove();
    }
  },
};
