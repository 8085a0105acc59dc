/** WAITING → DELIVERED | GIVEN_UP. Only a person who asks for it makes a final one wait again. */
export type NotificationStatus = 'WAITING' | 'DELIVERED' | 'GIVEN_UP';

/** Where a client wants to be told that its transaction is finished, and what is known of that client. */
export interface NotificationCallback {
  /** `http:` or `https:`, as the request gave it. Its query may be a secret: it is never shown or logged. */
  readonly url: string;
  /** The address by which the client called, without a slash at its end: results are named below it. */
  readonly baseUrl: string;
  /** The application whose secret signs the notification; null: nobody's does. */
  readonly clientId: string | null;
  /** The client itself was on this computer: it may be told at a loopback address. */
  readonly fromLoopback: boolean;
}

/** How far a notification has come, as the query tells it. */
export interface NotificationState {
  readonly status: NotificationStatus;
  /** Attempts begun since the transaction was finished, or since somebody asked for another delivery. */
  readonly attempts: number;
  /** Why the last attempt failed, a sentence; it names the host and no more of the address. Null: none did. */
  readonly lastError: string | null;
}

/** A notification of a finished transaction: a row of the outbox. */
export interface Notification extends NotificationState {
  /** `webhook-id`: the same in every attempt, so that a receiver knows what it has had already. */
  readonly id: string;
  readonly tcn: string;
  readonly callback: NotificationCallback;
  readonly createdAt: Date;
  /** When it is tried next; null: it is final. */
  readonly nextAttemptAt: Date | null;
  /** When it was delivered or given up; null while it waits. */
  readonly finishedAt: Date | null;
}

/** The notifications of this instance. */
export interface Notifications {
  /** Newest first. */
  list(limit: number): Promise<readonly Notification[]>;
  /**
   * Begins anew with a notification, by its id or its TCN, whatever became of it; one that is being delivered at this
   * moment is left alone. Rejects with `NOT_FOUND`.
   */
  redeliver(idOrTcn: string): Promise<Notification>;
  /**
   * Ends the attempts at a waiting notification; one that is under way may still come through. A final one stays as it
   * is. Rejects with `NOT_FOUND`.
   */
  giveUp(id: string): Promise<Notification>;
  /** Looks for what is due soon: a transaction may have been finished. */
  wake(): void;
  /** Takes up what an earlier process left, and delivers from then on. Called once. */
  start(): Promise<void>;
  /** Breaks off what is being delivered, which the next start repeats, and resolves. */
  close(): Promise<void>;
}
