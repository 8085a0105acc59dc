import { createHash } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { texts } from './actions.ts';
import { askForHashes, attributesOf, hashOf, portal } from './asking.ts';
import type { RealWindow } from './browser.ts';
import type { RealCore } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';

const { approval } = texts['pt-BR'];
const stage = sharedStage();
let shown: RealWindow;
let dialog: Locator;
let tcn: string;

async function open(ask: (core: RealCore) => Promise<string>): Promise<void> {
  shown = await stage.open({
    prepare: async (core) => {
      tcn = await ask(core);
    },
  });
  dialog = shown.page.getByRole('dialog', { name: approval.title });
  await dialog.waitFor();
}

const contract = 'Contrato que fica com quem pede.';
const given = { hash: hashOf(contract), original_file_name: 'contrato.pdf' };
const hex = createHash('sha256').update(contract).digest('hex');
const file = (name: string, content: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(content) });
const choose = async (name: string, content: string): Promise<void> =>
  dialog.locator('input[type=file]').setInputFiles(file(name, content));

describe('the approval of a hash', () => {
  it('says that the content is unknown, who asks, and that the name is a claim, with the hash in groups of four', async () => {
    await open(async (core) => askForHashes(core, { hashes: [given] }));
    await dialog.getByText(approval.hash.unknownTitle).waitFor();
    const words = (await dialog.textContent()) ?? '';
    expect(words).toContain(portal);
    expect(words).toContain(hex.replaceAll(/(.{4})(?=.)/g, '$1 '));
    const claim = dialog.locator('dt', { hasText: approval.claimedName }).locator('+ dd');
    expect(await claim.textContent()).toBe(`contrato.pdf${approval.hash.claimedNameHelp}`);
    expect(await dialog.getByText(approval.raw.title).count()).toBe(0);
    expect(shown.faults).toEqual([]);
  });

  it('compares a chosen file with the hash, and says which file is the document', async () => {
    await open(async (core) => askForHashes(core, { hashes: [given] }));
    await choose('outro.pdf', 'Outro contrato.');
    await dialog.getByText(approval.hash.other.replace('{{name}}', 'outro.pdf')).waitFor();
    await choose('meu.pdf', contract);
    await dialog.getByText(approval.hash.same.replace('{{name}}', 'meu.pdf')).waitFor();
    expect(await dialog.getByText(approval.hash.other.replace('{{name}}', 'outro.pdf')).count()).toBe(0);
  });

  it('offers no approval in advance, although a site asks', async () => {
    await open(async (core) => askForHashes(core, { hashes: [given] }));
    await dialog.getByText(approval.hash.hint).waitFor();
    expect(await dialog.getByText(approval.standing).count()).toBe(0);
  });

  it('signs after the answer, and the site gets the signature', async () => {
    await open(async (core) => askForHashes(core, { hashes: [given, { hash: hashOf('dois') }] }));
    await dialog.getByRole('button', { name: approval.approve, exact: true, disabled: false }).click();
    const read = async (): Promise<{ status: string; documents: { signature?: string }[] }> => {
      const answer = await fetch(`${shown.core.origin}/signature-service/${tcn}?wait=30`);
      return (await answer.json()) as Awaited<ReturnType<typeof read>>;
    };
    // A wait ends at the approval too, before the signatures.
    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('SIGNED');
    const { documents } = await read();
    expect(documents.map(({ signature }) => (signature ?? '').length > 100)).toEqual([true, true]);
  });
});

describe('the approval of a raw signature', () => {
  it('warns of what a raw signature can be', async () => {
    await open(async (core) => askForHashes(core, { type: 'RAW', hashes: [given] }));
    await dialog.getByText(approval.raw.title).waitFor();
    await dialog.getByText(approval.raw.text).waitFor();
  });

  it('shows signed attributes as what they are, with the hash of the unknown document', async () => {
    const hashes = [{ data_to_sign: attributesOf(contract), original_file_name: 'foto.jpg' }];
    await open(async (core) => askForHashes(core, { type: 'RAW', hashes }));
    await dialog.getByText(approval.attributes.title).waitFor();
    expect(await dialog.textContent()).toContain(approval.data.documents_one.replace('{{count}}', '1'));
    expect(await dialog.textContent()).toContain(hex.replaceAll(/(.{4})(?=.)/g, '$1 '));
    await dialog.getByText(approval.attributes.names.none, { exact: true }).waitFor();
  });

  it('shows other bytes as their own content, whatever the name says', async () => {
    const data_to_sign = Buffer.from('Devo mil reais.').toString('base64');
    await open(async (core) => askForHashes(core, { type: 'RAW', hashes: [{ data_to_sign }] }));
    await dialog.getByText('Devo mil reais.').waitFor();
    expect(await dialog.getByText(approval.attributes.title).count()).toBe(0);
  });
});
