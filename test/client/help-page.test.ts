import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { helpSection, userText } from '../../src/client/words.ts';

const html = readFileSync(new URL('../../src/client/sinete-help.html', import.meta.url), 'utf8');
const sections = new Set([...html.matchAll(/<section id="([\w-]+)"/g)].map(([, id = '']) => id));
const browsers = ['chrome', 'edge', 'opera', 'firefox', 'safari', 'brave', 'other'] as const;
const situations = [
  ['NOT_INSTALLED', undefined],
  ['BLOCKED_BY_BROWSER', 'dismissed'],
  ['BLOCKED_BY_BROWSER', 'denied'],
  ['BLOCKED_BY_BROWSER', 'popup'],
  ['FRAME_NOT_ALLOWED', undefined],
  ['INSECURE_PAGE', undefined],
  ['UNREACHABLE', undefined],
  ['BRIDGE_CLOSED', undefined],
  ['BRIDGE_CUT', undefined],
  ['NOT_ALLOWED', undefined],
] as const;

describe('the help page for users of web pages', () => {
  it.each(situations)('has a section for %s %s in each browser and both languages', (code, reason) => {
    for (const browser of browsers) {
      const section = helpSection(code, reason, browser) ?? 'none';
      expect(sections).toContain(section);
      expect(sections).toContain(`${section}-pt`);
    }
  });

  it('has no section without an error', () => {
    const wanted = situations.flatMap(([code, reason]) =>
      browsers.map((browser) => helpSection(code, reason, browser)),
    );
    expect([...sections].map((id) => id.replace(/-pt$/, '')).filter((id) => !wanted.includes(id))).toEqual([]);
  });

  it('loads nothing and runs no script', () => {
    expect(html).not.toMatch(/<script|<link|<img|\bsrc=|href="[^#]/);
  });

  it.each(situations)('answers a sentence in both languages for %s %s', (code, reason) => {
    const { en, 'pt-BR': pt } = userText(code, reason, 'other');
    for (const text of [en, pt]) expect(text).toMatch(/^\p{Lu}.{20,}\.$/su);
  });
});
