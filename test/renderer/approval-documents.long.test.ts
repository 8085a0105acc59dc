import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { texts } from './actions.ts';
import type { Window } from './browser.ts';
import { FakeCore } from './fake-core.ts';
import { programTransaction } from './fake-data.ts';
import {
  asksForBatch,
  asksForHostilePdf,
  asksForOfficeDocument,
  asksForPicture,
  asksForTurnedText,
  contract,
  holding,
  programAsks,
} from './places/approval-documents.ts';
import { sharedStage } from './shared-stage.ts';

const { approval, requester, signOptions, stamp } = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;
let shown: Window;
let dialog: Locator;

async function open(ask: (core: FakeCore) => void): Promise<void> {
  const core = new FakeCore();
  ask(core);
  shown = await stage.show(core);
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
    await dialog.getByText('/home/maria/Documentos/Diretoria/contrato.pdf').waitFor();
    await dialog.getByText('/home/maria/.xx9').waitFor();
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

  it('says before the answer which data AD-RA would be made with has ended, and for no other profile', async () => {
    const ended = 'A lista terminou em 2025-09-10.';
    for (const profile of ['AD-RA', 'AD-RC', null] as const) {
      await open((core) => {
        core.operation.staleTrust = [{ 'pt-BR': ended, en: 'The list ended on 2025-09-10.' }];
        core.ask({ ...programTransaction('p1', ['Contrato.pdf']), profile });
      });
      await approve({ disabled: false });
      if (profile === 'AD-RA') await dialog.getByText(ended).waitFor();
      expect(await dialog.getByText(ended).count()).toBe(profile === 'AD-RA' ? 1 : 0);
      expect(shown.faults).toEqual([]);
    }
  });

  it.each([
    ['edwards', /ETSI TS 119 312/],
    ['brainpool', /poppler/],
    ['rsa-pss', /poppler/],
    [null, undefined],
  ] as const)('says before the answer which programs may not check a key of the kind %s', async (acceptance, words) => {
    await open((core) => {
      core.certificates = core.certificates.map((one) => ({ ...one, acceptance }));
      core.ask(programTransaction('p1', ['Contrato.pdf']));
    });
    await approve({ disabled: false });
    const title = dialog.getByText(signOptions.acceptanceTitle);
    expect(await title.count()).toBe(words === undefined ? 0 : 1);
    if (words !== undefined) expect(await dialog.textContent()).toMatch(words);
  });

  it('tells the role that the signer is made to claim, and nothing where none is', async () => {
    await open((core) => {
      asksForHostilePdf(core);
      core.transactions = core.transactions.map((one) => ({ ...one, claimedRole: 'Diretora da Empresa' }));
    });
    const role = dialog.locator('dt', { hasText: approval.claimedRole }).locator('+ dd');
    expect(await role.textContent()).toBe(`Diretora da Empresa${approval.claimedRoleHelp}`);
    await open(asksForHostilePdf);
    expect(await dialog.getByText(approval.claimedRole).count()).toBe(0);
  });

  it('names content that acts before the button', async () => {
    await open(asksForHostilePdf);
    await dialog.getByText(approval.concerns).waitFor();
    for (const concern of ['javascript', 'attachment', 'hidden-layer'] as const) {
      expect(await dialog.getByText(approval.concern[concern]).count()).toBe(1);
    }
    const words = (await dialog.textContent()) ?? '';
    expect(words.indexOf(approval.concerns)).toBeGreaterThan(0);
    expect(words.indexOf(approval.approve)).toBeGreaterThan(words.indexOf(approval.concern.javascript));
  });

  it('says of a PDF nobody could examine nobody could', async () => {
    await open((core) => {
      asksForHostilePdf(core);
      core.examinations.set('contrato.pdf', { state: 'unreadable' });
    });
    await dialog.getByText(approval.concern.unreadable).waitFor();
  });
});

describe('the approval of other documents', () => {
  it('shows a text as it stands, and marks what cannot be seen in it and in its name', async () => {
    await open(asksForTurnedText);
    await dialog.getByText('Pague 100 reais a Ana.').waitFor();
    expect(await dialog.locator('pre mark').allTextContents()).toEqual(['‹U+202E›', '‹U+202C›', '‹U+200B›']);
    // In the heading, and beside the word it is only claimed.
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

  it('says a document cannot be shown', async () => {
    await open(asksForOfficeDocument);
    await dialog.getByText(approval.cannotShow).waitFor();
    await approve({ disabled: false });
  });

  it('says a document changed since the request', async () => {
    await open((core) => {
      asksForOfficeDocument(core);
      core.failures.set('approvals.inspect', 'DOCUMENT_UNREADABLE');
    });
    await dialog.getByText(approval.concern['not-read']).waitFor();
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
    await dialog.getByText('/home/maria/Lote/Contrato 500.pdf').waitFor();
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
  it('is possible once each of them was looked into, so that no warning comes after the answer', async () => {
    let end = (): void => undefined;
    await open((core) => {
      core.examinations.set('segundo.pdf', {
        state: 'examined',
        pageCount: 1,
        activeContent: ['launch'],
        signedFields: [],
        standards: [],
        complete: true,
      });
      programAsks(core, [
        holding(core, contract, { id: 'a', name: 'primeiro.pdf' }),
        holding(core, contract, { id: 'b', name: 'segundo.pdf' }),
      ]);
      core.waits.set('approvals.inspect {"tcn":"p1","documentId":"b"}', new Promise((resolve) => (end = resolve)));
    });
    await dialog.getByText(approval.waitsForChecks).waitFor();
    await dialog.getByText('1 de 2 verificados').waitFor();
    await approve({ disabled: true });
    end();
    await dialog.getByText(approval.concern.launch).waitFor();
    await approve({ disabled: false });
    await dialog.getByText(approval.hint).waitFor();
    expect(shown.faults).toEqual([]);
  });
});

describe('who asks', () => {
  it('is said in the language of the person for the parts of Sinete', async () => {
    await open((core) => {
      asksForOfficeDocument(core);
      core.transactions = core.transactions.map((transaction) => ({
        ...transaction,
        requester: 'This window',
        requesterKind: 'user-interface',
      }));
    });
    await dialog.getByText(requester['user-interface'], { exact: true }).waitFor();
    expect(await shown.page.getByText('This window').count()).toBe(0);
  });
});

describe('the button that approves', () => {
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
