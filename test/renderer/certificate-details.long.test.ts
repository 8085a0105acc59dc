import { describe, expect, it } from 'vitest';
import { pickerOf, texts } from './actions.ts';
import type { Window } from './browser.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
let shown: Window;

const codes = text.certificates.inspection.codes;

describe('what a certificate says', () => {
  it('is shown with its status and the reasons, its chain from the root down, and the fields of ICP-Brasil', async () => {
    shown = await stage.show();
    const { page } = shown;
    await page.evaluate(() => (location.hash = '#/certificates'));
    const button = page.getByRole('button', { name: 'Detalhes de Padaria Exemplo Ltda' });
    await button.click();
    const panel = page.getByRole('dialog');
    await panel.getByText(codes.dateBad).waitFor();
    await panel.getByText(codes.crlUnknown).waitFor();
    await panel.getByText(codes.trustGood.replace('{{hierarchy}}', 'ICP-Brasil')).waitFor();
    await panel.getByText('A1, chave em arquivo').waitFor();
    await panel.getByText('123456789012, zona 001, seção 0002, São Paulo, SP').waitFor();
    await panel.getByText('http://lcr.exemplo.com.br/ac.crl').waitFor();
    const names = await panel.locator('ul ul li > span:first-child').allTextContents();
    expect(names).toEqual(['AC Secretaria da Receita Federal', 'AC Exemplo RFB G5', 'Padaria Exemplo Ltda']);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(shown.faults).toEqual([]);
  });

  it('is shown of a file somebody sent, and of a file without one it says so', async () => {
    shown = await stage.show();
    const { page } = shown;
    await page.evaluate(() => (location.hash = '#/certificates'));
    const input = pickerOf(page);
    const choose = async (name: string, content: string): Promise<void> =>
      input.setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
    await choose('padaria.cer', '-----BEGIN CERTIFICATE-----');
    const panel = page.getByRole('dialog', { name: 'padaria.cer' });
    await panel.getByText(codes.dateBad).waitFor();
    await panel.getByText('***.982.247-**').waitFor();
    expect(await panel.getByText('52998224725').count()).toBe(0);
    expect(await stage.axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await choose('foto.pem', 'JFIF');
    await page.getByText(text.certificates.filePanel.none).waitFor();
    expect(shown.core.log.filter(({ name }) => name === 'certificates.import')).toEqual([]);
    expect(shown.faults).toEqual([]);
  });
});
