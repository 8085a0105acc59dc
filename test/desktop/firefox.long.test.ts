import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { readConfiguration } from '../../src/app/config/config.ts';
import { startSinete, type Sinete } from '../../src/app/instance/start-sinete.ts';
import { freePort, makeWorkplace, runSinete, type Workplace } from '../app/run-sinete.ts';
import { texts } from '../renderer/actions.ts';
import { builtWindow } from '../setup/built-window.ts';
import { until } from '../setup/waits.ts';
import { Firefox } from './firefox.ts';

let place: Workplace;
let sinete: Sinete;
let firefox: Firefox;
let archive: string;

beforeAll(async () => {
  place = await makeWorkplace();
  archive = join(place.folder, 'Assinados');
  const environment = { ...place.environment, SINETE_ARCHIVE_FOLDER: archive };
  const configuration = await readConfiguration({ dataFolder: place.data, environment });
  sinete = await startSinete({
    dataFolder: place.data,
    configuration: { ...configuration, port: await freePort() },
    rendererFolder: await builtWindow(),
  });
  await sinete.handlers['user-interface']['certificates.makeTestIdentity']({
    name: 'Maria da Silva Teste',
    cpf: '52998224725',
  });
  firefox = await Firefox.open();
});

afterAll(async () => {
  await firefox.close();
  await sinete.stop();
  await place.remove();
});

/** The names of all files below the archive. */
async function archived(): Promise<readonly string[]> {
  return readdir(archive, { recursive: true }).catch(() => []);
}

/** The sentence without its amount of free space, which changes while other programs write to the disk. */
const withoutFreeSpace = (sentence: string): string => sentence.replace(/;[^;]*\d [KMGT]B[^;]*$/, '');

describe('the window in Firefox', () => {
  it('shows a PDF, signs the PDF into the archive, finds its entry in History, and tells the findings of Doctor', async () => {
    const { stdout } = await runSinete(place, ['link']);
    const [link = ''] = /http\S+/.exec(stdout) ?? [];
    await firefox.goTo(link);
    const language = await firefox.read('document.documentElement.lang');
    const text = texts[language === 'pt-BR' ? 'pt-BR' : 'en'];
    await firefox.see(text.home.drop);

    const pdf = join(place.folder, 'contrato.pdf');
    const paragraphs = ['As partes assinam este contrato.'];
    await writeFile(pdf, writeTextPdf({ title: 'Contrato', paragraphs, footer: 'Página 1' }, new Date()));
    await firefox.chooseFiles('main [data-size=fitting] input[type=file]', [pdf]);
    await firefox.see('contrato.pdf');
    const isDrawn = `(() => {
      const canvas = document.querySelector('main canvas');
      if (canvas === null || canvas.width === 0) return false;
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value, index) => index % 4 === 0 && value < 90);
    })()`;
    await until(async () => (await firefox.read(isDrawn)) === true, 'the page of the PDF is drawn');
    await firefox.click('form button[type=submit]');
    await firefox.see(text.sign.allSigned_one);
    const signed = (await archived()).filter((name) => /contrato-(assinado|signed)\.pdf$/.test(name));
    expect(signed).toHaveLength(1);

    await firefox.click('nav a[href="#/history"]');
    await firefox.see(text.history.title);
    await firefox.see('contrato.pdf');
    await firefox.click('nav a[href="#/doctor"]');
    const { checks } = await sinete.handlers['user-interface']['doctor.read']({});
    const told = checks.map(({ words }) => words[language === 'pt-BR' ? 'pt-BR' : 'en'].message);
    expect(told.length).toBeGreaterThan(3);
    for (const sentence of told) await firefox.see(withoutFreeSpace(sentence));
    expect(firefox.faults).toEqual([]);
  });
});
