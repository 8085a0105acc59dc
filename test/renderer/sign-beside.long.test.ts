import { createPrivateKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { prepareCmsSigner, softwareSigner } from '../../src/signing/index.ts';
import { personWith } from '../pki/identities.ts';
import { contentOf, pickerOf, texts } from './actions.ts';
import { mariaAlias } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
const document = 'notas.txt';
const signed = `${document}.p7m`;

async function enclosed(): Promise<Buffer> {
  const { privateKey, certificate, chain } = await personWith({ name: 'ANA EXEMPLO' });
  const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
  const signer = prepareCmsSigner(softwareSigner(key, certificate, chain), { digest: 'sha256', profile: 'cades' });
  return signer.signContent(contentOf(document), new Date());
}

/** Opens the page with these files on the desk. */
async function showFiles(files: Readonly<Record<string, Buffer>>) {
  const shown = await stage.open();
  const { page } = shown;
  await page.evaluate(() => (location.hash = '#/sign'));
  const all = Object.entries(files).map(([name, buffer]) => ({ name, mimeType: 'application/octet-stream', buffer }));
  await pickerOf(page).setInputFiles(all);
  await page.locator('form button[type=submit]').waitFor();
  return shown;
}

describe('a signature file on the page Sign', () => {
  it('offers to sign its document beside its signers, which needs no choice', async () => {
    const signature = await enclosed();
    const { page, faults } = await showFiles({ [document]: contentOf(document), [signed]: signature });
    expect(await page.getByLabel(text.sign.beside.replace('{{name}}', signed)).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Assinar 1 arquivo' }).click();
    await page.getByText('Documento assinado', { exact: true }).first().waitFor();
    expect(stage.inputsOf('sign.create')).toMatchObject([
      {
        type: 'CAdES-attached',
        alias: mariaAlias,
        existingSignature: signature.toString('base64'),
        files: [{ name: document }],
      },
    ]);
    expect(faults).toEqual([]);
  });

  it('is signed itself where the offer is declined', async () => {
    const { page } = await showFiles({ [document]: contentOf(document), [signed]: await enclosed() });
    await page.getByLabel(text.sign.beside.replace('{{name}}', signed)).uncheck();
    await page.getByRole('button', { name: 'Assinar 2 arquivos' }).click();
    await page.getByText('2 documentos assinados', { exact: true }).waitFor();
    expect(stage.inputsOf('sign.create').at(-1)).not.toHaveProperty('existingSignature');
  });

  it('tells without its document how to sign beside its signers', async () => {
    const { page } = await showFiles({ [signed]: await enclosed() });
    await page.getByText(text.sign.encloses.replace('{{name}}', signed)).waitFor();
  });
});
