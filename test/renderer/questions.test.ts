import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { texts } from './actions.ts';
import { askAsApplication, askAsPage, portal } from './asking.ts';
import type { RealWindow } from './browser.ts';
import { siteHeaders } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const { sites, consent, authorization, approval } = text;
const stage = sharedStage();
const { inputsOf } = stage;
let shown: RealWindow;

/** Waits until a question takes yes for an answer. */
async function untilArmed(yes: string): Promise<void> {
  await shown.page.getByRole('dialog').getByRole('button', { name: yes, exact: true, disabled: false }).waitFor();
}

/** Presses a button of a dialog as soon as the button exists: in the page, because a busy machine comes later. */
async function pressWhenThere(page: Page, name: string): Promise<void> {
  await page.evaluate((text) => {
    new MutationObserver((_changes, observer) => {
      const buttons = [...document.querySelectorAll<HTMLButtonElement>('[role=dialog] button')];
      const button = buttons.find(({ textContent }) => textContent === text);
      if (button === undefined) return;
      observer.disconnect();
      button.click();
      document.body.dataset.pressed = 'yes';
    }).observe(document.body, { childList: true, subtree: true });
  }, name);
}

describe('a site without a permission', () => {
  it('is let in for this visit, for the asked and the added permissions, and not by an early press', async () => {
    shown = await stage.open();
    const { page, core } = shown;
    await pressWhenThere(page, consent.allow);
    askAsPage(core);
    await page.getByRole('dialog', { name: consent.title }).waitFor();
    expect(await page.getByRole('dialog').locator('strong').first().textContent()).toBe('tribunal.jus.br');
    await page.locator('body[data-pressed]').waitFor();
    expect(inputsOf('consent.answer')).toEqual([]);
    const boxes = page.getByRole('dialog').getByRole('checkbox');
    expect(await boxes.filter({ visible: true }).count()).toBe(1);
    await page.getByRole('button', { name: consent.more }).click();
    await page.getByLabel(sites.scopes.certificatesRead).check();
    expect(await page.getByLabel(sites.scopes.userRead).isChecked()).toBe(false);
    expect(await page.getByLabel(sites.scopes.userWrite).count()).toBe(0);
    await untilArmed(consent.allow);
    await page.getByRole('button', { name: consent.allow }).press('Enter');
    // The question about the signature follows.
    await page.getByRole('dialog', { name: consent.title }).waitFor({ state: 'detached' });
    const [answer] = inputsOf('consent.answer') as { readonly scopes: readonly string[] }[];
    expect(answer).toMatchObject({ allow: true, days: 'once' });
    expect(answer?.scopes.toSorted()).toEqual(['certificates:read', 'sign']);
    expect(shown.faults).toEqual([]);
  });

  it('is asked about anew for a further permission, which is ticked too', async () => {
    shown = await stage.open();
    const { page, core } = shown;
    askAsPage(core);
    await untilArmed(consent.allow);
    const users = `${core.origin}/user`;
    void fetch(users, { headers: siteHeaders(portal) }).catch(() => undefined);
    await expect.poll(() => page.getByLabel(sites.scopes.userRead).isChecked()).toBe(true);
    expect(await page.getByLabel(sites.scopes.sign).isChecked()).toBe(true);
    await untilArmed(consent.allow);
    await page.getByRole('button', { name: consent.refuse }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('is shown with the true address of a deceptive name, and is refused', async () => {
    const { origin } = new URL('https://trıbunal.jus.br');
    shown = await stage.open();
    const { page, core } = shown;
    askAsPage(core, origin);
    await page.getByRole('dialog').getByText('trıbunal.jus.br', { exact: true }).waitFor();
    await page.getByRole('dialog').getByText(origin, { exact: true }).waitFor();
    await page.getByRole('button', { name: consent.refuse }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(inputsOf('consent.answer')).toEqual([{ id: expect.any(String) as string, allow: false }]);
  });

  it('cannot be let in without a permission, goes with the page, and waits in the bar after a delay', async () => {
    shown = await stage.open();
    const { page, core } = shown;
    const { closePage } = askAsPage(core);
    await untilArmed(consent.allow);
    await page.getByLabel(sites.scopes.sign).uncheck();
    await page.getByText(sites.scopesError).waitFor();
    expect(await page.getByRole('button', { name: consent.allow }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: consent.later }).last().click();
    await page.getByRole('button', { name: text.app.review, exact: true }).click();
    await page.getByRole('dialog').waitFor();
    closePage();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(shown.faults).toEqual([]);
  });
});

describe('an application without an authorization', () => {
  it('shows scopes, person and lifetime, and is authorized with the keyboard', async () => {
    shown = await stage.open();
    const { page, core } = shown;
    await askAsApplication(core);
    await untilArmed(authorization.allow);
    const dialog = page.getByRole('dialog', { name: authorization.title });
    for (const line of ['2 horas', '***.982.247-**', authorization.scopes.signature_session, authorization.session]) {
      await dialog.getByText(line, { exact: true }).waitFor();
    }
    await page.getByRole('button', { name: authorization.allow, exact: true }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(inputsOf('authorizations.decide')).toEqual([{ id: expect.any(String) as string, decision: 'allow' }]);
    expect(shown.faults).toEqual([]);
  });

  it('goes with the page, and the next question comes up', async () => {
    shown = await stage.open();
    const { page, core } = shown;
    const { closePage } = await askAsApplication(core);
    await page.getByRole('dialog', { name: authorization.title }).waitFor();
    askAsPage(core);
    await page.getByText('1 de 2').waitFor();
    await closePage();
    await page.getByRole('dialog', { name: consent.title }).waitFor();
  });
});

describe('a transaction of a site', () => {
  it('is approved together with the next signatures, within limits', async () => {
    let tcn = '';
    shown = await stage.open({
      prepare: async (core) => {
        await core.calls['sites.change']({ origin: portal, scopes: ['sign'], days: 30 });
        tcn = await core.askAsSite(portal);
      },
    });
    const { page } = shown;
    await untilArmed(approval.approve);
    await page.getByLabel(approval.standing).check();
    const minutes = page.getByLabel(approval.standingMinutes);
    await page.getByLabel(approval.standingCount).fill('50');
    await minutes.fill('');
    expect(await page.getByRole('button', { name: approval.approve }).isDisabled()).toBe(true);
    await minutes.fill('30');
    await page.getByRole('button', { name: approval.approve }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(inputsOf('approvals.decide')).toEqual([
      { tcn, decision: 'approve', standing: { signatures: 50, minutes: 30 } },
    ]);
    expect(shown.faults).toEqual([]);
  });
});
