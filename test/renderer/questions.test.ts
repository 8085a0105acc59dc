import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { texts } from './actions.ts';
import type { Window } from './browser.ts';
import { FakeCore } from './fake-core.ts';
import { programTransaction } from './fake-data.ts';
import { waitingAuthorization } from './fake-people.ts';
import { consentQuestion } from './fake-sites.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const { sites, consent, authorization, approval } = text;
const stage = sharedStage();
const { inputsOf } = stage;
let shown: Window;

/** Waits until a question takes yes for an answer. */
async function untilArmed(yes: string): Promise<void> {
  await shown.page.getByRole('dialog').getByRole('button', { name: yes, exact: true, disabled: false }).waitFor();
}

/** Presses a button of a dialog in the moment that it is there: in the page, since a busy machine comes later. */
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

describe('a site that asks to be let in', () => {
  it('is let in for what was left checked and for as long as was chosen, and not by a press that comes with it', async () => {
    shown = await stage.show();
    const { page, core } = shown;
    await pressWhenThere(page, consent.allow);
    core.sites.ask(consentQuestion());
    await page.getByRole('dialog', { name: consent.title }).waitFor();
    expect(await page.getByRole('dialog').locator('strong').first().textContent()).toBe('tribunal.jus.br');
    await page.locator('body[data-pressed]').waitFor();
    expect(inputsOf('consent.answer')).toEqual([]);
    await page.getByLabel(sites.scopes.userWrite).uncheck();
    await page.getByLabel(sites.durations.once).check();
    await untilArmed(consent.allow);
    await page.getByRole('button', { name: consent.allow }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(inputsOf('consent.answer')).toEqual([
      { id: 'q1', allow: true, scopes: ['certificates:read', 'sign', 'user:read'], days: 'once' },
    ]);
    expect(shown.faults).toEqual([]);
  });

  it('is shown with its true address where its letters can be mistaken, and is refused', async () => {
    const core = new FakeCore();
    const origin = 'https://xn--trbunal-vfb.jus.br';
    core.sites.questions = [consentQuestion({ origin, displayOrigin: 'https://trıbunal.jus.br' })];
    shown = await stage.show(core);
    const { page } = shown;
    await page.getByRole('dialog').getByText('trıbunal.jus.br', { exact: true }).waitFor();
    await page.getByRole('dialog').getByText(origin, { exact: true }).waitFor();
    await page.getByRole('button', { name: consent.refuse }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(inputsOf('consent.answer')).toEqual([{ id: 'q1', allow: false }]);
  });

  it('cannot be let in for nothing, goes when its page goes, and waits in the bar when it is put off', async () => {
    shown = await stage.show();
    const { page, core } = shown;
    core.sites.ask(consentQuestion());
    await untilArmed(consent.allow);
    for (const name of Object.values(sites.scopes).slice(0, 4)) await page.getByLabel(name).uncheck();
    await page.getByText(sites.scopesError).waitFor();
    expect(await page.getByRole('button', { name: consent.allow }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: consent.later }).last().click();
    await page.getByRole('button', { name: text.app.review, exact: true }).click();
    await page.getByRole('dialog').waitFor();
    core.sites.withdraw('q1');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(shown.faults).toEqual([]);
  });
});

describe('an application that asks to be authorized', () => {
  it('shows what, as whom and for how long, and is authorized with the keyboard', async () => {
    shown = await stage.show();
    const { page, core } = shown;
    core.people.ask(waitingAuthorization());
    await untilArmed(authorization.allow);
    const dialog = page.getByRole('dialog', { name: authorization.title });
    for (const line of ['2 horas', '***.982.247-**', authorization.scopes.signature_session, authorization.session]) {
      await dialog.getByText(line, { exact: true }).waitFor();
    }
    await page.getByRole('button', { name: authorization.allow, exact: true }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(inputsOf('authorizations.decide')).toEqual([{ id: 'a1', decision: 'allow' }]);
    expect(shown.faults).toEqual([]);
  });

  it('goes with its page, and the next question comes up', async () => {
    const core = new FakeCore();
    core.people.waiting = [waitingAuthorization({ askedAt: new Date(Date.now() - 5000).toISOString() })];
    core.sites.questions = [consentQuestion()];
    shown = await stage.show(core);
    await shown.page.getByRole('dialog', { name: authorization.title }).waitFor();
    await shown.page.getByText('1 de 2').waitFor();
    core.people.withdraw('a1');
    await shown.page.getByRole('dialog', { name: consent.title }).waitFor();
  });
});

describe('a transaction of a site', () => {
  it('is approved together with the next signatures, within limits', async () => {
    const core = new FakeCore();
    core.transactions = [
      { ...programTransaction('p1', ['a.pdf']), requesterKind: 'site', requester: 'https://portal.tribunal.jus.br' },
    ];
    shown = await stage.show(core);
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
      { tcn: 'p1', decision: 'approve', standing: { signatures: 50, minutes: 30 } },
    ]);
    expect(shown.faults).toEqual([]);
  });
});
