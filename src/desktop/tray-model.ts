/** The tray as plain data: the state of its icon and the lines of its menu. */
import type { TokenView, UiTransaction } from '../ui-contract/ui-contract.ts';
import type { DesktopTexts } from './texts.ts';

/** The variants of the icon; the first applicable variant is shown. */
export const trayStates = ['error', 'paused', 'waiting', 'no-key', 'idle'] as const;

export type TrayState = (typeof trayStates)[number];

/** A user in the tray's menu. */
export interface TrayUser {
  readonly username: string;
  readonly name: string;
  readonly selected: boolean;
}

/** Facts for the tray. */
export interface TrayFacts {
  /** The core does not answer, or its health is bad. */
  readonly failing: boolean;
  readonly paused: boolean;
  /** Number of requests waiting for approval or PIN. */
  readonly waiting: number;
  /** Number of certificates with an available key. */
  readonly certificates: number;
  readonly tokens: readonly TokenView[];
  readonly users: readonly TrayUser[];
  /** Newest first. */
  readonly recent: readonly UiTransaction[];
  /** The version ready for installation. */
  readonly update: string | null;
}

/** The action of a menu line. */
export type TrayCommand =
  | { readonly kind: 'open'; readonly address: string }
  | { readonly kind: 'select-user'; readonly username: string }
  | { readonly kind: 'pause'; readonly paused: boolean }
  | { readonly kind: 'install-update' }
  | { readonly kind: 'quit' };

/** A line of the menu. */
export type TrayItem =
  | { readonly kind: 'separator' }
  | { readonly kind: 'label'; readonly text: string }
  | { readonly kind: 'command'; readonly text: string; readonly command: TrayCommand }
  | { readonly kind: 'check'; readonly text: string; readonly checked: boolean; readonly command: TrayCommand }
  | { readonly kind: 'choice'; readonly text: string; readonly checked: boolean; readonly command: TrayCommand }
  | { readonly kind: 'submenu'; readonly text: string; readonly items: readonly TrayItem[] };

/** How many signatures the menu lists. */
const recentInMenu = 5;

/** The longest text of a line. */
const longestText = 48;

/** The icon's state: the most urgent one wins. */
export function trayState(facts: TrayFacts): TrayState {
  if (facts.failing) return 'error';
  if (facts.paused) return 'paused';
  if (facts.waiting > 0) return 'waiting';
  return facts.certificates === 0 ? 'no-key' : 'idle';
}

/** The menu, top to bottom. */
export function trayMenu(facts: TrayFacts, texts: DesktopTexts): readonly TrayItem[] {
  const separator = { kind: 'separator' } as const;
  return [
    { kind: 'label', text: texts.state[trayState(facts)] },
    ...waitingLine(facts, texts),
    separator,
    userLine(facts, texts),
    ...tokenLines(facts, texts),
    lastSignatures(facts, texts),
    separator,
    { kind: 'check', text: texts.pause, checked: facts.paused, command: { kind: 'pause', paused: !facts.paused } },
    { kind: 'command', text: texts.open, command: { kind: 'open', address: '' } },
    ...updateLine(facts, texts),
    { kind: 'command', text: texts.quit, command: { kind: 'quit' } },
  ];
}

function waitingLine({ waiting }: TrayFacts, texts: DesktopTexts): readonly TrayItem[] {
  if (waiting === 0) return [];
  return [{ kind: 'command', text: texts.waiting(waiting), command: { kind: 'open', address: '' } }];
}

function userLine({ users }: TrayFacts, texts: DesktopTexts): TrayItem {
  if (users.length === 0) return { kind: 'label', text: texts.nobodySelected };
  const selected = users.find((user) => user.selected);
  return {
    kind: 'submenu',
    text: selected === undefined ? texts.nobodySelected : `${texts.users}: ${shortened(selected.name)}`,
    items: users.map(({ name, username, selected: checked }) => ({
      kind: 'choice',
      text: shortened(name),
      checked,
      command: { kind: 'select-user', username },
    })),
  };
}

function tokenLines({ tokens }: TrayFacts, texts: DesktopTexts): readonly TrayItem[] {
  const present = tokens.filter((token) => token.present);
  if (present.length === 0) return [{ kind: 'label', text: texts.noToken }];
  return present.map(({ label }) => ({ kind: 'label', text: texts.token(shortened(label)) }));
}

function lastSignatures({ recent }: TrayFacts, texts: DesktopTexts): TrayItem {
  const signed = recent.filter(({ status }) => status === 'SIGNED').slice(0, recentInMenu);
  return {
    kind: 'submenu',
    text: texts.lastSignatures,
    items:
      signed.length === 0
        ? [{ kind: 'label', text: texts.noSignatures }]
        : signed.map(({ documents }) => ({
            kind: 'command',
            text: nameDocuments(documents),
            command: { kind: 'open', address: '#/history' },
          })),
  };
}

function updateLine({ update }: TrayFacts, texts: DesktopTexts): readonly TrayItem[] {
  if (update === null) return [];
  return [{ kind: 'command', text: texts.installUpdate(update), command: { kind: 'install-update' } }];
}

function nameDocuments(documents: UiTransaction['documents']): string {
  const [first] = documents;
  const more = documents.length - 1;
  return `${shortened(first?.name ?? '')}${more > 0 ? ` +${more}` : ''}`;
}

/** Shortens a name from outside to a single line, without `&`, which a menu would read as a shortcut. */
function shortened(text: string): string {
  const plain = text
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
    .replaceAll('&', '&&');
  return plain.length > longestText ? `${plain.slice(0, longestText - 1)}…` : plain;
}
