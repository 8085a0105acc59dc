import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createTestAuthority, issueTestPerson, type TestIdentity } from '../../src/test-authority/index.ts';
import { JOAO_CPF } from '../pki/identities.ts';
import { pem } from '../pki/openssl.ts';
import { pickerOf, texts } from './actions.ts';
import type { RealWindow } from './browser.ts';
import { sharedStage } from './shared-stage.ts';
import { inDays } from './worlds.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
let shown: RealWindow;

const voterId = {
  number: '123456789012',
  zone: '001',
  section: '0002',
  municipality: 'São Paulo',
  state: 'SP',
};

/** An expired certificate, with the address of an unreachable revocation list. */
async function makeExpired(): Promise<{ readonly identity: TestIdentity; readonly root: Buffer }> {
  const urls = { crl: ['http://127.0.0.1:9/ac.crl'] };
  const authority = await createTestAuthority({ keyKind: 'ec-p256', notBefore: inDays(-500), urls });
  const dates = { notBefore: inDays(-400), notAfter: inDays(-35) };
  const about = { name: 'JOAO EXEMPLO', cpf: JOAO_CPF, voterId, keyKind: 'ec-p256', ...dates } as const;
  return { identity: await issueTestPerson(authority, about), root: authority.root.certificate };
}

const codes = text.certificates.inspection.codes;

describe('the contents of a certificate', () => {
  it('are shown with the status and the reasons, the chain from the root down, and the fields of ICP-Brasil', async () => {
    const { identity, root } = await makeExpired();
    shown = await stage.open({
      prepare: async (core) => {
        await core.importKey(identity);
        const fingerprint = createHash('sha256').update(root).digest('hex');
        await core.calls['trust.import']({ file: root.toString('base64'), fingerprint });
      },
    });
    const { page } = shown;
    await page.evaluate(() => (location.hash = '#/certificates'));
    const button = page.getByRole('button', { name: 'Detalhes de JOAO EXEMPLO' });
    await button.click();
    const panel = page.getByRole('dialog');
    await panel.getByText(codes.dateBad).waitFor();
    await panel.getByText(codes.crlUnknown).waitFor();
    await panel.getByText(codes.trustGood.replace('{{hierarchy}}.', '')).waitFor();
    await panel.getByText('A1, chave em arquivo').waitFor();
    await panel.getByText('123456789012, zona 001, seção 0002, SAO PAULO, SP').waitFor();
    await panel.getByText('http://127.0.0.1:9/ac.crl').waitFor();
    await panel.getByText('AC Raiz de Teste SEM VALOR LEGAL', { exact: true }).waitFor();
    const names = await panel.locator('ul ul li > span:first-child').allTextContents();
    expect(names).toEqual(['AC Emissora de Teste SEM VALOR LEGAL', 'JOAO EXEMPLO']);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(shown.faults).toEqual([]);
  });

  it('are shown of a file too, and a file without a certificate is refused', async () => {
    const { identity } = await makeExpired();
    shown = await stage.open();
    const { page } = shown;
    await page.evaluate(() => (location.hash = '#/certificates'));
    const input = pickerOf(page);
    const choose = async (name: string, content: string): Promise<void> =>
      input.setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
    await choose('joao.cer', pem('CERTIFICATE', identity.certificate));
    const panel = page.getByRole('dialog', { name: 'joao.cer' });
    await panel.getByText(codes.dateBad).waitFor();
    await panel.getByText('***.444.777-**').waitFor();
    expect(await panel.getByText(JOAO_CPF).count()).toBe(0);
    expect(await stage.axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await choose('foto.pem', 'JFIF');
    await page.getByText(text.certificates.filePanel.none).waitFor();
    expect(shown.core.log.filter(({ name }) => name === 'certificates.import')).toEqual([]);
    expect(shown.faults).toEqual([]);
  });
});
