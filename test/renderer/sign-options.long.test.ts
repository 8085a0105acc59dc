import { describe, expect, it } from 'vitest';
import { DEFAULT_STAMP_TEMPLATE } from '../../src/signing/index.ts';
import { destinationKinds, placeOfResults, usualDestination } from '../../renderer/src/pages/sign/destination.ts';
import { afterKey, boxOf, inside, positionOf } from '../../renderer/src/pages/sign/stamp/geometry.ts';
import { usualTemplate, withLine } from '../../renderer/src/pages/sign/stamp-options.ts';
import { chooseFiles, texts } from './actions.ts';
import type { Window } from './browser.ts';
import { showDesktop } from './desktop-window.ts';
import { FakeCore } from './fake-core.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;
let shown: Window;

describe('the words of a stamp', () => {
  it('begin with the usual template of the core, without the lines of programs', () => {
    expect(`${usualTemplate}\n{extra_info}`).toBe(DEFAULT_STAMP_TEMPLATE);
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

describe('the options of a batch', () => {
  it('reach the core: level, time stamps, stamp with its text, rules and password, for PDFs only what PDFs have', async () => {
    shown = await stage.show();
    const { page } = shown;
    await chooseFiles(page, ['contrato.pdf', 'notas.txt']);
    await page.getByRole('button', { name: text.sign.more }).click();
    await page.getByLabel(text.sign.otherType).selectOption('CMS-detached');
    await page.getByLabel(text.signOptions.policy, { exact: true }).selectOption('B-T');
    expect(await page.getByLabel(text.sign.otherType).inputValue()).toBe('CAdES-detached');
    await page.getByLabel(text.signOptions.server).selectOption('act-exemplo');
    await page.getByLabel(text.signOptions.stamp).check();
    await page.getByLabel(text.signOptions.corners['top-right']).check();
    await page.getByLabel(text.signOptions.page, { exact: true }).selectOption('first');
    await page.getByLabel(text.signOptions.template).fill('Visto por {name}');
    await page.getByRole('checkbox', { name: text.signOptions.variables.date }).check();
    await page.getByLabel(new RegExp(`^${text.signOptions.claimedRole}`)).fill('Diretora');
    await page.getByLabel(text.signOptions.certify).selectOption('form-filling');
    await page.getByLabel(new RegExp(`^${text.signOptions.password}`)).fill('segredo');
    await page.getByRole('button', { name: 'Assinar 2 arquivos' }).click();
    await page.getByText('2 documentos assinados').waitFor();
    const words = 'Visto por {name}\nData: {date}';
    expect(inputsOf('sign.create')).toEqual([
      {
        type: 'PAdES',
        alias: 'maria-a1',
        digest: 'sha256',
        policy: 'B-T',
        timestampServer: 'act-exemplo',
        certify: 'form-filling',
        password: 'segredo',
        files: [{ name: 'contrato.pdf' }],
        claimedRole: 'Diretora',
        place: { kind: 'folder', language: 'pt-BR' },
        visible: { pages: [1], x: 36, y: 36, corner: 'top-right', width: 230, height: 80, fit: true, text: words },
      },
      {
        type: 'CAdES-detached',
        alias: 'maria-a1',
        digest: 'sha256',
        policy: 'B-T',
        timestampServer: 'act-exemplo',
        claimedRole: 'Diretora',
        place: { kind: 'folder', language: 'pt-BR' },
        files: [{ name: 'notas.txt' }],
      },
    ]);
    expect(shown.faults).toEqual([]);
  });

  it('choose among certificates without a default: one that binds first, then the one used last', async () => {
    const core = new FakeCore();
    const [first, second] = core.certificates.map((one) => ({ ...one, isDefault: false }));
    core.certificates = [
      { ...first!, alias: 'teste', holder: 'Maria Teste', isTest: true },
      first!,
      { ...second!, locked: false },
    ];
    shown = await stage.show(core);
    const { page } = shown;
    const chosen = page.getByLabel(text.sign.certificate);
    await chooseFiles(page, ['contrato.pdf']);
    await expect.poll(async () => chosen.inputValue(), { timeout: 60_000 }).toBe('maria-a1');
    const labels = await chosen.locator('option:not(:first-child)').allTextContents();
    expect(labels.map((label) => label.split(' · ').at(-1))).toEqual(['AC Exemplo RFB G5', 'eToken 5110 Maria']);
    await chosen.selectOption('maria-a3');
    await page.locator('form button[type=submit]').click();
    await page.getByRole('button', { name: text.sign.again }).click();
    await chooseFiles(page, ['outro.pdf']);
    await expect.poll(async () => chosen.inputValue(), { timeout: 60_000 }).toBe('maria-a3');
    expect(shown.faults).toEqual([]);
  });

  it('say that a level cannot be had where no time-stamp service is configured', async () => {
    const core = new FakeCore();
    core.operation.timestampServers = [];
    shown = await stage.show(core);
    await chooseFiles(shown.page, ['contrato.pdf']);
    await shown.page.getByRole('button', { name: text.sign.more }).click();
    await shown.page.getByLabel(text.signOptions.policy, { exact: true }).selectOption('AD-RT');
    await shown.page.getByText(text.signOptions.serverNone, { exact: false }).waitFor();
    await shown.page.getByText(text.signOptions.policyAbout['AD-RT']).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('say before AD-RA which data has ended, and for no other level', async () => {
    const core = new FakeCore();
    core.operation.staleTrust = [{ 'pt-BR': 'A lista terminou em 2025-09-10.', en: 'The list ended on 2025-09-10.' }];
    shown = await stage.show(core);
    const { page } = shown;
    await chooseFiles(page, ['contrato.pdf']);
    await page.getByRole('button', { name: text.sign.more }).click();
    const policy = page.getByLabel(text.signOptions.policy, { exact: true });
    await policy.selectOption('AD-RA');
    await page.getByText('A lista terminou em 2025-09-10.', { exact: false }).waitFor();
    await policy.selectOption('AD-RB');
    await page.getByText('A lista terminou em 2025-09-10.', { exact: false }).waitFor({ state: 'detached' });
    expect(shown.faults).toEqual([]);
  });

  it('let the desktop sign files where they lie, into a folder that its owner chooses', async () => {
    shown = await showDesktop(stage, '/home/maria/Assinados');
    const { page } = shown;
    await chooseFiles(page, ['contrato.pdf', 'notas.txt']);
    await page.getByLabel(text.signOptions.destinations.folder).check();
    expect(await page.getByRole('button', { name: 'Assinar 2 arquivos' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: text.signOptions.chooseFolder }).click();
    await page.getByText('/home/maria/Assinados').waitFor();
    await page.getByRole('button', { name: 'Assinar 2 arquivos' }).click();
    await page.getByText('2 documentos assinados').waitFor();
    await page.getByRole('button', { name: 'Copiar o caminho de contrato-assinado.pdf' }).click();
    await page.getByRole('button', { name: 'Abrir notas.txt.p7s' }).click();
    await page.getByRole('dialog').waitFor();
    expect(inputsOf('results.open')).toHaveLength(1);
    expect(inputsOf('approvals.decide')).toHaveLength(2);
    const place = { kind: 'folder', folder: '/home/maria/Assinados', language: 'pt-BR' };
    expect(inputsOf('sign.paths')).toMatchObject([
      { place, files: [{ path: '/home/maria/contrato.pdf' }] },
      { place, files: [{ path: '/home/maria/notas.txt' }] },
    ]);
    expect(inputsOf('sign.create')).toEqual([]);
    expect(shown.faults).toEqual([]);
  });
});

describe('a key that not every program knows', () => {
  it.each([
    ['edwards', /ETSI TS 119 312.*OpenSSL 3\.0/],
    ['brainpool', /poppler/],
    ['rsa-pss', /poppler/],
  ] as const)('of the kind %s is told before the button that signs', async (acceptance, words) => {
    const core = new FakeCore();
    core.certificates = core.certificates.map((one) => ({ ...one, acceptance }));
    shown = await stage.show(core);
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
    shown = await stage.show(new FakeCore());
    const { page } = shown;
    await chooseFiles(page, ['a.txt']);
    expect(await page.getByText(text.signOptions.acceptanceTitle).count()).toBe(0);
  });
});
