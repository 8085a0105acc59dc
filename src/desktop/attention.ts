import { Notification } from 'electron';
import type { UiTransaction } from '../ui-contract/ui-contract.ts';
import type { CoreFacts } from './core-watch.ts';
import type { DesktopTexts } from './texts.ts';
import type { MainWindow } from './window.ts';

/** Title and text of a notification. */
type Notice = readonly [title: string, body: string];

/** What calls the owner: the window, and a notification for when it cannot be seen. */
export class Attention {
  readonly #window: Pick<MainWindow, 'raise' | 'settle' | 'show' | 'protect'>;
  /** Approvals and PINs that the owner was called for. */
  #called: ReadonlySet<string> = new Set();
  #notification: Notification | undefined;

  constructor(window: Pick<MainWindow, 'raise' | 'settle' | 'show' | 'protect'>) {
    this.#window = window;
  }

  /**
   * Calls once for each approval, PIN and site that begins to wait, and lets go when nothing waits any more: because it
   * was decided, or because the caller has gone.
   */
  look(facts: CoreFacts, before: CoreFacts, texts: DesktopTexts): void {
    const { waiting, recent } = facts;
    const keys = noticesOf(facts, texts);
    const fresh = [...keys].filter(([key]) => !this.#called.has(key)).map(([, notice]) => notice);
    const had = this.#called.size > 0;
    this.#called = new Set(keys.keys());
    this.#window.protect(waiting.some(({ waitingFor }) => waitingFor === 'pin'));
    const [first] = fresh;
    if (first !== undefined) {
      this.#window.raise();
      this.#notify(...first);
    } else if (had && keys.size === 0) {
      this.#notification?.close();
      this.#window.settle();
    }
    this.#tellFailures(recent, before.recent, texts);
  }

  /** Says something that can wait. */
  tell(title: string, body: string): void {
    this.#notify(title, body);
  }

  /** Signatures that failed while nobody looked; those of the window are seen there. */
  #tellFailures(recent: CoreFacts['recent'], before: CoreFacts['recent'], texts: DesktopTexts): void {
    const known = new Set(before.filter(({ status }) => status === 'ERROR').map(({ tcn }) => tcn));
    const running = new Set(before.map(({ tcn }) => tcn));
    const failed = recent.find(
      ({ tcn, status, documents }) =>
        status === 'ERROR' &&
        running.has(tcn) &&
        !known.has(tcn) &&
        documents.some(({ error }) => error !== null && error.code !== 'APPROVAL_REFUSED'),
    );
    const name = failed?.documents.find(({ error }) => error !== null)?.name;
    if (name !== undefined) this.#notify(texts.failedTitle, name);
  }

  #notify(title: string, body: string): void {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body, silent: false });
    notification.on('click', () => this.#window.show());
    notification.show();
    this.#notification?.close();
    this.#notification = notification;
  }
}

/** What is said of each thing that waits, by a key that is its own. */
function noticesOf({ waiting, questions }: CoreFacts, texts: DesktopTexts): ReadonlyMap<string, Notice> {
  return new Map([
    ...waiting.map((one): [string, Notice] => [`${one.tcn} ${one.waitingFor ?? ''}`, noticeOf(one, texts)]),
    ...questions.map(({ id, origin }): [string, Notice] => [`site ${id}`, [texts.siteTitle(origin), texts.siteBody]]),
  ]);
}

/** Names no document: notifications are seen on locked screens and kept by the system. */
function noticeOf({ waitingFor, requester, documents }: UiTransaction, texts: DesktopTexts): Notice {
  const title = waitingFor === 'pin' ? texts.pinTitle : texts.approvalTitle(requester);
  return [title, texts.approvalBody(documents.length)];
}
