import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_STAMP_TEMPLATE } from '../../src/signing/index.ts';
import type { TestKeyKind } from '../../src/test-authority/index.ts';
import { destinationKinds, placeOfResults, usualDestination } from '../../renderer/src/pages/sign/destination.ts';
import { afterKey, boxOf, inside, positionOf } from '../../renderer/src/pages/sign/stamp/geometry.ts';
import { usualTemplate, withLine } from '../../renderer/src/pages/sign/stamp-options.ts';
import { chooseFiles, contentOf, texts } from './actions.ts';
import type { RealWindow } from './browser.ts';
import { freePort } from '../app/run-sinete.ts';
import { MARIA_CPF, personWith } from '../pki/identities.ts';
import { makeParty } from '../signing/certificates/path/path-pki.ts';
import { showDesktop } from './desktop-window.ts';
import { mariaAlias, type RealCore, type RealPlan } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;
let shown: RealWindow;

describe('the words of a stamp', () => {
  it('begin with the usual template of the core, without the lines of programs', () => {
    expect(usualTemplate).toBe(DEFAULT_STAMP_TEMPLATE.replace('{extra_info}\n', ''));
  });

  it.each([
    [usualTemplate, 'reason', false, usualTemplate.replace('\nMotivo: {reason}', '')],
    ['Por {{name}}\nLocal: {location}', 'date', true, 'Por {{name}}\nData: {date}\nLocal: {location}'],
    ['', 'cpf', true, 'CPF: {cpf}'],
    ['Visto', 'cpf', true, 'Visto\nCPF: {cpf}'],
  ] as const)('%j with the line of %s %s is %j', (words, variable, present, expected) => {
    expect(withLine(words, variable, present)).toBe(expected);
  });
});

describe('the place of a stamp', () => {
  const page = { width: 600, height: 800 };

  it.each([
    ['moved to the right and up', { key: 'ArrowRight' }, { left: 108, top: 100, width: 200, height: 80 }],
    ['held at the edge', { key: 'ArrowUp', from: { left: 0, top: 3 } }, { left: 0, top: 0, width: 200, height: 80 }],
    ['made wider', { key: 'ArrowRight', shiftKey: true }, { left: 100, top: 100, width: 208, height: 80 }],
    [
      'made wider no further than the page',
      { key: 'ArrowRight', shiftKey: true, from: { left: 395 } },
      { left: 395, top: 100, width: 205, height: 80 },
    ],
    ['moved by one point', { key: 'ArrowDown', ctrlKey: true }, { left: 100, top: 101, width: 200, height: 80 }],
    ['left where it is by other keys', { key: 'Tab' }, null],
  ])('is %s', (_what, { from, ...keys }: { readonly key: string; readonly from?: object }, expected) => {
    const box = { left: 100, top: 100, width: 200, height: 80, ...from };
    expect(afterKey(box, { shiftKey: false, ctrlKey: false, ...keys }, page)).toEqual(expected);
  });

  it('is told from the nearest corner, and found again', () => {
    for (const [left, top, corner] of [
      [10, 20, 'top-left'],
      [390, 20, 'top-right'],
      [10, 700, 'bottom-left'],
      [380.5, 690.5, 'bottom-right'],
    ] as const) {
      const box = { left, top, width: 200, height: 80 };
      const position = positionOf(box, page);
      expect(position.corner).toBe(corner);
      expect(boxOf(position, page)).toEqual(box);
    }
  });

  it('is on the page for every page, however small', () => {
    const small = { width: 150, height: 40 };
    const kept = boxOf({ corner: 'bottom-right', x: 36, y: 36, width: 230, height: 80 }, small);
    expect(inside(kept, small)).toEqual({ left: 0, top: 0, width: 150, height: 40 });
  });
});

describe('where results go', () => {
  it('is beside the originals where their paths are known, unless the settings name the folder', () => {
    expect(usualDestination({ place: 'beside' }, true)).toEqual({ kind: 'beside' });
    expect(usualDestination({ place: 'folder' }, true)).toEqual({ kind: 'archive' });
    expect(usualDestination({ place: 'beside' }, false)).toEqual({ kind: 'archive' });
    expect(usualDestination(null, false)).toEqual({ kind: 'archive' });
    expect(destinationKinds(false)).toEqual(['archive', 'keep']);
  });

  it.each([
    [{ kind: 'beside' }, { kind: 'beside', language: 'en' }],
    [{ kind: 'archive' }, { kind: 'folder', language: 'en' }],
    [
      { kind: 'folder', path: '/x' },
      { kind: 'folder', folder: '/x', language: 'en' },
    ],
    [{ kind: 'keep' }, null],
  ] as const)('%j reaches the core as %j', (destination, expected) => {
    expect(placeOfResults(destination, 'en')).toEqual(expected);
  });
});

/** A core whose test services answer, the time-stamp server with them. */
async function withTestServices(): Promise<RealPlan> {
  return {
    configuration: { testServicesPort: await freePort() },
    prepare: async ({ calls }) => calls['testServices.run']({}),
  };
}

/** Adds a key of a kind as the default. */
async function addKey(core: RealCore, keyKind: TestKeyKind): Promise<void> {
  const alias = await core.importKey(await personWith({ name: 'ANA EXEMPLO', keyKind }));
  await core.calls['certificates.setDefault']({ alias });
}

describe('the options of a batch', () => {
  it('reach the core: level, time stamps, stamp with its text, rules and password, for PDFs only the options of PDFs', async () => {
    shown = await stage.open(await withTestServices());
    const { page } = shown;
    await chooseFiles(page, ['contrato.pdf', 'notas.txt']);
    await page.getByRole('button', { name: text.sign.more }).click();
    await page.getByLabel(text.sign.otherType).selectOption('CMS-detached');
    await page.getByLabel(text.signOptions.policy, { exact: true }).selectOption('B-T');
    expect(await page.getByLabel(text.sign.otherType).inputValue()).toBe('CAdES-detached');
    await page.getByLabel(text.signOptions.server).selectOption('test');
    await page.getByLabel(text.signOptions.stamp).check();
    await page.getByLabel(text.signOptions.corners['top-right']).check();
    await page.getByLabel(text.signOptions.page, { exact: true }).selectOption('first');
    await page.getByLabel(text.signOptions.template).fill('Visto por {name}');
    await page.getByRole('checkbox', { name: text.signOptions.variables.date }).check();
    await page.getByLabel(new RegExp(`^${text.signOptions.claimedRole}`)).fill('Diretora');
    await page.getByLabel(text.signOptions.certify).selectOption('form-filling');
    await page.getByLabel(new RegExp(`^${text.signOptions.password}`)).fill('segredo');
    await page.getByRole('button', { name: 'Assinar 2 arquivos' }).click();
    await page.getByText('2 documentos assinados', { exact: true }).waitFor();
    const words = 'Visto por {name}\nData: {date}';
    expect(inputsOf('sign.create')).toEqual([
      {
        type: 'PAdES',
        alias: mariaAlias,
        digest: 'sha256',
        policy: 'B-T',
        timestampServer: 'test',
        certify: 'form-filling',
        password: 'segredo',
        files: [{ name: 'contrato.pdf' }],
        claimedRole: 'Diretora',
        place: { kind: 'folder', language: 'pt-BR' },
        visible: { pages: [1], x: 36, y: 36, corner: 'top-right', width: 230, height: 80, fit: true, text: words },
      },
      {
        type: 'CAdES-detached',
        alias: mariaAlias,
        digest: 'sha256',
        policy: 'B-T',
        timestampServer: 'test',
        claimedRole: 'Diretora',
        place: { kind: 'folder', language: 'pt-BR' },
        files: [{ name: 'notas.txt' }],
      },
    ]);
    expect(shown.faults).toEqual([]);
  });

  it('choose among certificates without a default: a binding one first, then the last used', async () => {
    const authority = makeParty({ name: 'AC Exemplo' });
    const [joao, ana] = ['JOÃO EXEMPLO', 'ANA EXEMPLO'];
    shown = await stage.open({
      keys: 'none',
      prepare: async (core) => {
        await core.calls['certificates.makeTestIdentity']({ name: 'Maria Teste', cpf: MARIA_CPF });
        for (const name of [joao, ana]) {
          const { certificate, key } = makeParty({ name, issuer: authority });
          const privateKey = key.privateKey.export({ format: 'der', type: 'pkcs8' });
          const chain = [authority.certificate.der];
          await core.importKey({ privateKey, certificate: certificate.der, chain });
        }
      },
    });
    const { page } = shown;
    const chosen = page.getByLabel(text.sign.certificate);
    await chooseFiles(page, ['contrato.pdf']);
    await expect.poll(async () => chosen.inputValue(), { timeout: 60_000 }).toBe(joao);
    await chosen.selectOption(ana);
    await page.locator('form button[type=submit]').click();
    await page.getByRole('button', { name: text.sign.again }).click();
    await chooseFiles(page, ['outro.pdf']);
    await expect.poll(async () => chosen.inputValue(), { timeout: 60_000 }).toBe(ana);
    expect(shown.faults).toEqual([]);
  });

  it('say a level cannot be had where no time-stamp service is configured', async () => {
    shown = await stage.open();
    await chooseFiles(shown.page, ['contrato.pdf']);
    await shown.page.getByRole('button', { name: text.sign.more }).click();
    await shown.page.getByLabel(text.signOptions.policy, { exact: true }).selectOption('AD-RT');
    await shown.page.getByText(text.signOptions.serverNone, { exact: false }).waitFor();
    await shown.page.getByText(text.signOptions.policyAbout['AD-RT']).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('name before AD-RA the ended data, and for no other level', async () => {
    const notAfter = new Date(Date.now() + 10 * 86_400_000);
    const root = makeParty({ name: 'Raiz Velha', authority: true, notAfter }).certificate;
    const { fingerprint } = root;
    shown = await stage.open({
      prepare: async ({ calls }) =>
        calls['trust.import']({ file: root.der.toString('base64'), fingerprint, isTest: true }),
    });
    const { page } = shown;
    await chooseFiles(page, ['contrato.pdf']);
    await page.getByRole('button', { name: text.sign.more }).click();
    const policy = page.getByLabel(text.signOptions.policy, { exact: true });
    await policy.selectOption('AD-RA');
    await page.getByText(/Raiz Velha termina em/).waitFor();
    await policy.selectOption('AD-RB');
    await page.getByText(/Raiz Velha termina em/).waitFor({ state: 'detached' });
    expect(shown.faults).toEqual([]);
  });

  it('let the desktop sign files in their place, into a folder chosen by its owner', async () => {
    shown = await showDesktop(stage, 'Escolhida');
    const { page, core } = shown;
    for (const name of ['contrato.pdf', 'notas.txt']) await core.put(name, contentOf(name));
    await chooseFiles(page, ['contrato.pdf', 'notas.txt']);
    await page.getByLabel(text.signOptions.destinations.folder).check();
    expect(await page.getByRole('button', { name: 'Assinar 2 arquivos' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: text.signOptions.chooseFolder }).click();
    const chosen = join(core.folder, 'Escolhida');
    await page.getByText(chosen).waitFor();
    await page.getByRole('button', { name: 'Assinar 2 arquivos' }).click();
    await page.getByText('2 documentos assinados', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copiar o caminho de contrato-assinado.pdf' }).click();
    await page.getByRole('button', { name: 'Abrir notas.txt.p7s' }).click();
    await page.getByRole('dialog').waitFor();
    expect(inputsOf('results.open')).toHaveLength(1);
    expect(inputsOf('approvals.decide')).toHaveLength(2);
    const place = { kind: 'folder', folder: chosen, language: 'pt-BR' };
    expect(inputsOf('sign.paths')).toMatchObject([
      { place, files: [{ path: join(core.folder, 'contrato.pdf') }] },
      { place, files: [{ path: join(core.folder, 'notas.txt') }] },
    ]);
    expect(await readdir(chosen)).toEqual(['contrato-assinado.pdf', 'notas.txt.p7s']);
    expect(inputsOf('sign.create')).toEqual([]);
    expect(shown.faults).toEqual([]);
  });
});

describe('a key unknown to some programs', () => {
  it.each([
    ['ed25519', /ETSI TS 119 312.*OpenSSL 3\.0/],
    ['brainpool', /poppler/],
    ['rsa-pss', /poppler/],
  ] as const)('of the kind %s is told before the button for signing', async (keyKind, words) => {
    shown = await stage.open({ prepare: async (core) => addKey(core, keyKind) });
    const { page } = shown;
    await chooseFiles(page, ['a.txt']);
    const form = page.locator('form').filter({ has: page.locator('button[type=submit]') });
    await form.getByText(text.signOptions.acceptanceTitle).waitFor();
    const told = (await form.textContent()) ?? '';
    expect(told).toMatch(words);
    const button = text.sign.submit_one.replace('{{count}}', '1');
    expect(told.indexOf(text.signOptions.acceptanceTitle)).toBeLessThan(told.indexOf(button));
  });

  it('is not spoken of for other keys', async () => {
    shown = await stage.open();
    const { page } = shown;
    await chooseFiles(page, ['a.txt']);
    expect(await page.getByText(text.signOptions.acceptanceTitle).count()).toBe(0);
  });
});
