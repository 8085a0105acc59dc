import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_STAMP_TEMPLATE, formatStampDate, stampText } from '../../src/signing/index.ts';
import { destinationOf } from '../../renderer/src/sign/destination.ts';
import { previewOf, stampDate, usualTemplate } from '../../renderer/src/sign/stamp-options.ts';
import { chooseFiles, texts } from './actions.ts';
import { Stage, type Window } from './browser.ts';
import { showDesktop } from './desktop-window.ts';
import { FakeCore } from './fake-core.ts';

const text = texts['pt-BR'];
let stage: Stage;
let shown: Window;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

describe('the preview of a stamp', () => {
  const values = {
    name: 'Maria',
    cpf: '***.982.247-**',
    cnpj: '',
    company: '',
    date: 'hoje',
    reason: '',
    location: 'Recife',
  };

  it.each([
    usualTemplate,
    'Por {{ name }} em {location}',
    '{reason}\n{company}\nfica',
    'sem variáveis\n{desconhecida} {name}',
    '{reason} {name}',
  ])('says what the core writes for %j', (template) => {
    const now = new Date();
    const given = { name: 'Maria', cpf: '52998224725', location: 'Recife', signingTime: now };
    expect(previewOf(template, { ...values, date: stampDate(now) })).toBe(stampText(template, given));
  });

  it('begins with the usual template of the core, without the lines of programs', () => {
    expect(`${usualTemplate}\n{extra_info}`).toBe(DEFAULT_STAMP_TEMPLATE);
    const now = new Date('2026-11-20T10:20:30Z');
    expect(stampDate(now)).toBe(formatStampDate(now));
  });
});

describe('where results go', () => {
  it.each([
    ['/home/m/a.PDF', 'PAdES', { kind: 'beside' }, '/home/m/a-signed.pdf'],
    ['/home/m/a.txt', 'CAdES-detached', { kind: 'beside' }, '/home/m/a.txt.p7s'],
    ['C:\\Docs\\a.txt', 'CMS-attached', { kind: 'folder', path: 'D:\\Assinados\\' }, 'D:\\Assinados\\a.txt.p7m'],
    ['/home/m/a.txt', 'CAdES-attached', { kind: 'folder', path: '/tmp/x' }, '/tmp/x/a.txt.p7m'],
  ] as const)('%s as %s to %j is %s', (path, type, destination, expected) => {
    expect(destinationOf(path, type, destination)).toBe(expected);
  });
});

const inputsOf = (name: string): unknown[] =>
  shown.core.log.filter((entry) => entry.name === name).map((entry) => entry.input);

async function approve(): Promise<void> {
  await shown.page.getByRole('button', { name: text.approval.approve }).waitFor();
  await shown.page.waitForTimeout(600);
  await shown.page.getByRole('button', { name: text.approval.approve }).click();
}

describe('the options of a batch', () => {
  afterEach(() => shown.close());

  it('reach the core: level, time stamps, stamp with its text, rules and password, for PDFs only what PDFs have', async () => {
    shown = await stage.show();
    const { page } = shown;
    await chooseFiles(page, ['contrato.pdf', 'notas.txt']);
    await page.getByLabel(text.sign.otherType).selectOption('CMS-detached');
    await page.getByLabel(text.signOptions.policy, { exact: true }).selectOption('B-T');
    expect(await page.getByLabel(text.sign.otherType).inputValue()).toBe('CAdES-detached');
    await page.getByLabel(text.signOptions.server).selectOption('act-exemplo');
    await page.getByLabel(text.signOptions.stamp).check();
    await page.getByLabel(text.signOptions.corners['top-right']).check();
    await page.getByLabel(text.signOptions.page, { exact: true }).selectOption('first');
    const template = page.getByLabel(text.signOptions.template);
    await template.fill('Visto por ');
    await page.getByRole('button', { name: 'Inserir Nome' }).click();
    await page.getByText('Visto por Maria da Silva Teste', { exact: true }).waitFor();
    await page.getByRole('button', { name: text.sign.more }).click();
    await page.getByLabel(text.signOptions.certify).selectOption('form-filling');
    await page.getByLabel(new RegExp(`^${text.signOptions.password}`)).fill('segredo');
    await page.getByRole('button', { name: 'Assinar 2 arquivos' }).click();
    await approve();
    await page.getByRole('dialog').getByText('notas.txt', { exact: true }).waitFor();
    expect(inputsOf('sign.create')).toEqual([
      {
        ...{ type: 'PAdES', alias: 'maria-a1', digest: 'sha256', policy: 'B-T', timestampServer: 'act-exemplo' },
        ...{ certify: 'form-filling', password: 'segredo', files: [{ name: 'contrato.pdf' }] },
        visible: { pages: [1], x: 36, y: 36, corner: 'top-right', width: 230, height: 80, text: 'Visto por {name}' },
      },
      {
        ...{
          type: 'CAdES-detached',
          alias: 'maria-a1',
          digest: 'sha256',
          policy: 'B-T',
          timestampServer: 'act-exemplo',
        },
        files: [{ name: 'notas.txt' }],
      },
    ]);
    expect(shown.faults).toEqual([]);
  });

  it('say that a level cannot be had where no time-stamp service is configured', async () => {
    const core = new FakeCore();
    core.operation.timestampServers = [];
    shown = await stage.show(core);
    await chooseFiles(shown.page, ['contrato.pdf']);
    await shown.page.getByLabel(text.signOptions.policy, { exact: true }).selectOption('AD-RT');
    await shown.page.getByText(text.signOptions.serverNone).waitFor();
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
    await approve();
    await page.getByRole('dialog').getByText('/home/maria/notas.txt', { exact: true }).waitFor();
    await approve();
    await page.getByText('2 documentos assinados').waitFor();
    expect(inputsOf('sign.paths')).toMatchObject([
      { files: [{ path: '/home/maria/contrato.pdf', destination: '/home/maria/Assinados/contrato-signed.pdf' }] },
      { files: [{ path: '/home/maria/notas.txt', destination: '/home/maria/Assinados/notas.txt.p7s' }] },
    ]);
    expect(inputsOf('sign.create')).toEqual([]);
    expect(shown.faults).toEqual([]);
  });
});
