import { Notification } from 'electron';
import type { UiTransaction } from '../ui-contract/ui-contract.ts';
import type { CoreFacts } from './core-watch.ts';
import type { DesktopTexts } from './texts.ts';
import { askedSubject } from '../text/asked-subject.ts';
import type { MainWindow } from './window.ts';

/** Codes of documents that a person or the caller ended on purpose, which are no failures. */
const endedOnPurpose: ReadonlySet<string> = new Set(['APPROVAL_REFUSED', 'CANCELLED']);

/** Title and text of a notification. */
type Notice = readonly [title: string, body: string];

/** Gets the owner's attention: by the window, and by a notification if the window is not visible. */
export class Attention {
  readonly #window: Pick<MainWindow, 'raise' | 'settle' | 'show' | 'protect'>;
  /** Approvals and PINs that were already announced. */
  #called: ReadonlySet<string> = new Set();
  #notification: Notification | undefined;

  constructor(window: Pick<MainWindow, 'raise' | 'settle' | 'show' | 'protect'>) {
    this.#window = window;
  }

  /**
   * Announces each new approval, PIN and site question once. Releases the window when nothing waits any more, after a
   * decision or because the caller has gone.
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

  /** Shows a notification without urgency. */
  tell(title: string, body: string): void {
    this.#notify(title, body);
  }

  /** Reports failed signatures outside of the window; the window shows its own failures. */
  #tellFailures(recent: CoreFacts['recent'], before: CoreFacts['recent'], texts: DesktopTexts): void {
    const known = new Set(before.filter(({ status }) => status === 'ERROR').map(({ tcn }) => tcn));
    const running = new Set(before.map(({ tcn }) => tcn));
    const failed = recent.find(
      ({ tcn, status, documents }) =>
        status === 'ERROR' &&
        running.has(tcn) &&
        !known.has(tcn) &&
        documents.some(({ error }) => error !== null && !endedOnPurpose.has(error.code)),
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

/** The notice of each waiting request, by its key. */
function noticesOf({ waiting, questions }: CoreFacts, texts: DesktopTexts): ReadonlyMap<string, Notice> {
  return new Map([
    ...waiting.map((one): [string, Notice] => [`${one.tcn} ${one.waitingFor ?? ''}`, noticeOf(one, texts)]),
    ...questions.map(({ id, origin }): [string, Notice] => [`site ${id}`, [texts.siteTitle(origin), texts.siteBody]]),
  ]);
}

/** Notices contain no document names: notifications appear on locked screens and are stored by the system. */
function noticeOf({ waitingFor, requester, type, documents }: UiTransaction, texts: DesktopTexts): Notice {
  const title = waitingFor === 'pin' ? texts.pinTitle : texts.approvalTitle(requester);
  return [title, texts.approvalBody(documents.length, askedSubject(type, documents))];
}
