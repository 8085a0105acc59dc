import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { freePort } from '../app/run-sinete.ts';
import { personWith } from '../pki/identities.ts';
import { texts } from './actions.ts';
import { askForFiles } from './asking.ts';
import type { RealWindow } from './browser.ts';
import {
  asksForBatch,
  asksForHostilePdf,
  asksForOfficeDocument,
  asksForPicture,
  asksForTurnedText,
  contract,
  withScript,
} from './places/approval-documents.ts';
import type { RealCore, RealPlan } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';
import { withTestIdentity } from './worlds.ts';

const { approval, requester, signOptions, stamp } = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;
let shown: RealWindow;
let dialog: Locator;

async function open(ask: (core: RealCore) => Promise<unknown>, plan: RealPlan = {}): Promise<void> {
  shown = await stage.open({ ...plan, prepare: ask });
  dialog = shown.page.getByRole('dialog', { name: approval.title });
  await dialog.waitFor();
}

const approve = (state: { readonly disabled: boolean }): Promise<void> =>
  dialog.getByRole('button', { name: approval.approve, exact: true, ...state }).waitFor();

/** Whether a colour other than the paper's is in the drawing. */
const isInked = (): Promise<boolean> =>
  dialog.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    return data.some((value, index) => index % 4 === 3 && value > 0);
  });

describe('the approval of a PDF', () => {
  it('shows its path, its destination, every page and its signatures, and the claim of the requester as such', async () => {
    await open(asksForHostilePdf);
    const { folder } = shown.core;
    await dialog.getByText(join(folder, 'Diretoria', 'contrato.pdf'), { exact: true }).waitFor();
    await dialog.getByText(join(folder, '.xx9'), { exact: true }).waitFor();
    const claim = dialog.locator('dt', { hasText: approval.claimedName }).locator('+ dd');
    expect(await claim.textContent()).toBe(`Convite para a festa.pdf${approval.claimedNameOther}`);
    await dialog.getByText(approval.existingSignature).waitFor();
    await dialog.getByText('A document to sign').waitFor({ state: 'attached' });
    expect(await isInked()).toBe(true);
    await dialog.getByRole('button', { name: stamp.next }).click();
    await dialog.getByText('The second page').waitFor({ state: 'attached' });
    expect(await dialog.getByText(approval.existingSignature).count()).toBe(0);
    const paper = dialog.getByRole('group', { name: 'Página 2' }).locator('> div').last();
    const before = await paper.boundingBox();
    await dialog.getByRole('button', { name: approval.zoomIn }).click();
    await expect.poll(async () => (await paper.boundingBox())!.width).toBeGreaterThan(before!.width * 1.4);
    expect(shown.faults).toEqual([]);
  });

  it.each([
    ['ed25519', /ETSI TS 119 312/],
    ['brainpool', /poppler/],
    ['rsa-pss', /poppler/],
    ['ec-p384', undefined],
  ] as const)('names the programs that may refuse a key of the kind %s, before the answer', async (keyKind, words) => {
    await open(async (core) => {
      const alias = await core.importKey(await personWith({ name: 'ANA EXEMPLO', keyKind }));
      await askForFiles(core, { 'Contrato.pdf': contract }, { certificate_alias: alias });
    });
    await approve({ disabled: false });
    const title = dialog.getByText(signOptions.acceptanceTitle);
    expect(await title.count()).toBe(words === undefined ? 0 : 1);
    if (words !== undefined) expect(await dialog.textContent()).toMatch(words);
  });

  it('tells the claimed role of the signer, if the request has a role', async () => {
    await open(async (core) => asksForHostilePdf(core, { claimed_role: 'Diretora da Empresa' }));
    const role = dialog.locator('dt', { hasText: approval.claimedRole }).locator('+ dd');
    expect(await role.textContent()).toBe(`Diretora da Empresa${approval.claimedRoleHelp}`);
    await open(asksForHostilePdf);
    expect(await dialog.getByText(approval.claimedRole).count()).toBe(0);
  });

  it('names active content before the button', async () => {
    await open(asksForHostilePdf);
    await dialog.getByText(approval.concerns).waitFor();
    for (const concern of ['javascript', 'attachment', 'hidden-layer'] as const) {
      expect(await dialog.getByText(approval.concern[concern]).count()).toBe(1);
    }
    const words = (await dialog.textContent()) ?? '';
    expect(words.indexOf(approval.concerns)).toBeGreaterThan(0);
    expect(words.indexOf(approval.approve)).toBeGreaterThan(words.indexOf(approval.concern.javascript));
  });

  it('tells of a PDF that could not be examined', async () => {
    await open(async (core) => askForFiles(core, { 'contrato.pdf': Buffer.from('%PDF-1.7 damaged') }));
    await dialog.getByText(approval.concern.unreadable).waitFor();
  });
});

describe('the approval of other documents', () => {
  it('shows a text unchanged, and marks unseen characters of text and name', async () => {
    await open(asksForTurnedText);
    await dialog.getByText('Pague 100 reais a Ana.').waitFor();
    expect(await dialog.locator('pre mark').allTextContents()).toEqual(['‹U+202E›', '‹U+202C›', '‹U+200B›']);
    // In the heading, and at the claimed name.
    await expect.poll(() => dialog.getByText('nota-‹U+202E›fdp.exe').count()).toBe(2);
    await dialog.getByText(approval.claimedNameHelp).waitFor();
    await dialog.getByText(approval.destinationHere).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('shows a picture', async () => {
    await open(asksForPicture);
    const image = dialog.locator('img');
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(64);
    expect(shown.faults).toEqual([]);
  });

  it('tells of a document without a preview', async () => {
    await open(asksForOfficeDocument);
    await dialog.getByText(approval.cannotShow).waitFor();
    await approve({ disabled: false });
  });

  it('tells of a change of the document since the request', async () => {
    await open(async (core) => {
      await asksForOfficeDocument(core);
      await core.put('minuta.docx', 'something else');
    });
    await dialog.getByText(approval.concern['not-read']).waitFor();
  });
});

describe('the approval of a signature under a profile of ICP-Brasil', () => {
  it('tells of ended data before the answer, for AD-RA only', async () => {
    const ended = 'A lista terminou em 2025-09-10.';
    for (const profile of ['AD-RA', 'AD-RC', null] as const) {
      const plan = withTestIdentity(await freePort());
      await open(async (core) => {
        await plan.prepare?.(core);
        core.standIn({
          state: 'a list of trust data has ended',
          because: 'the lists that the product brings along end years later',
          answers: { 'trust.list': async (real) => ({ ...(await real()), stale: [ended] }) },
        });
        const policy = profile === null ? {} : { policy: profile };
        await askForFiles(core, { 'notas.txt': Buffer.from('notas') }, { type: 'CAdES-detached', ...policy });
      }, plan);
      await approve({ disabled: false });
      if (profile === 'AD-RA') await dialog.getByText(ended).waitFor();
      expect(await dialog.getByText(ended).count()).toBe(profile === 'AD-RA' ? 1 : 0);
      expect(shown.faults).toEqual([]);
    }
  });
});

describe('the approval of 500 documents', () => {
  it('lists every name at once, shows the pressed document, and looks into every document once', async () => {
    await open(asksForBatch);
    const rows = dialog.getByRole('listitem');
    await rows.getByRole('button', { name: /Contrato 001/ }).waitFor();
    expect(await rows.count()).toBeLessThan(40);
    expect(await rows.first().getAttribute('aria-setsize')).toBe('500');
    const list = dialog.getByRole('group', { name: '500 documentos para assinar' });
    await list.evaluate((element) => (element.scrollTop = element.scrollHeight));
    await rows.getByRole('button', { name: /Contrato 500/ }).click();
    await dialog.getByText(join(shown.core.folder, 'Lote', 'Contrato 500.pdf'), { exact: true }).waitFor();
    await dialog.getByText('Contrato de prestação').first().waitFor({ state: 'attached' });
    await dialog.getByText(approval.concern.javascript).waitFor();
    await dialog.getByText('Contrato 137.pdf').waitFor();
    const documents = (): readonly string[] => inputsOf('approvals.inspect').map((input) => JSON.stringify(input));
    await expect.poll(() => new Set(documents()).size).toBe(500);
    expect(documents()).toHaveLength(500);
    expect(shown.faults).toEqual([]);
  });
});

describe('the approval of several documents', () => {
  it('is possible after the examination of each document, so that no warning comes after the answer', async () => {
    let end = (): void => undefined;
    await open(async (core) => {
      const tcn = await askForFiles(core, { 'primeiro.pdf': contract, 'segundo.pdf': withScript });
      const held = new Promise<void>((resolve) => (end = resolve));
      core.waits.set(`approvals.inspect {"tcn":"${tcn}","documentId":"1"}`, held);
    });
    await dialog.getByText(approval.waitsForChecks).waitFor();
    await dialog.getByText('1 de 2 verificados').waitFor();
    await approve({ disabled: true });
    end();
    await dialog.getByText(approval.concern.javascript).waitFor();
    await approve({ disabled: false });
    await dialog.getByText(approval.hint).waitFor();
    expect(shown.faults).toEqual([]);
  });
});

describe('the requester', () => {
  it('is said in the language of the person for the parts of Sinete', async () => {
    await open(async (core) => {
      const files = [{ path: await core.put('Contrato.pdf', contract) }];
      await core.calls['sign.paths']({ type: 'PAdES', digest: 'sha256', files });
    });
    await dialog.getByText(requester['user-interface'], { exact: true }).waitFor();
    expect(await shown.page.getByText('This window').count()).toBe(0);
  });
});

describe('the button of the approval', () => {
  it('waits while the window is behind another', async () => {
    await open(asksForOfficeDocument);
    await approve({ disabled: false });
    await shown.page.evaluate(() => {
      document.hasFocus = () => false;
      window.dispatchEvent(new Event('blur'));
    });
    await approve({ disabled: true });
    await shown.page.evaluate(() => {
      document.hasFocus = () => true;
      window.dispatchEvent(new Event('focus'));
    });
    await approve({ disabled: false });
    expect(inputsOf('approvals.decide')).toEqual([]);
  });
});
