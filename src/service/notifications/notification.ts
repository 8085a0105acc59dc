/** WAITING → DELIVERED | GIVEN_UP. Only a person's request makes a final notification wait again. */
export type NotificationStatus = 'WAITING' | 'DELIVERED' | 'GIVEN_UP';

/** A client's address for the notification of its finished transaction, with facts about the client. */
export interface NotificationCallback {
  /** `http:` or `https:`, as in the request. The query may be a secret and is never shown or logged. */
  readonly url: string;
  /** The client's address of us, without a slash at its end: results are named below this address. */
  readonly baseUrl: string;
  /** The application of the signing secret; null: unsigned. */
  readonly clientId: string | null;
  /** The client itself was on this computer: loopback addresses are allowed. */
  readonly fromLoopback: boolean;
}

/** The progress of a notification, in the form of the query. */
export interface NotificationState {
  readonly status: NotificationStatus;
  /** Attempts begun since the transaction was finished, or since somebody asked for another delivery. */
  readonly attempts: number;
  /** The last attempt's failure, a sentence with the host and no more of the address. Null without a failure. */
  readonly lastError: string | null;
}

/** A notification of a finished transaction: a row of the outbox. */
export interface Notification extends NotificationState {
  /** `webhook-id`: the same in every attempt, so that a receiver recognises repetitions. */
  readonly id: string;
  readonly tcn: string;
  readonly callback: NotificationCallback;
  readonly createdAt: Date;
  /** The time of the next attempt; null for a final notification. */
  readonly nextAttemptAt: Date | null;
  /** The time of delivery or of the end of attempts; null for a waiting notification. */
  readonly finishedAt: Date | null;
}

/** The notifications of this instance. */
export interface Notifications {
  /** Newest first. */
  list(limit: number): Promise<readonly Notification[]>;
  /**
   * Starts a notification again from any state, by its id or its TCN; a running delivery is not interrupted. Rejects
   * with `NOT_FOUND`.
   */
  redeliver(idOrTcn: string): Promise<Notification>;
  /**
   * Ends the attempts of a waiting notification; a running attempt may still succeed. A final notification stays
   * unchanged. Rejects with `NOT_FOUND`.
   */
  giveUp(id: string): Promise<Notification>;
  /** Looks for due notifications soon: a transaction may have been finished. */
  wake(): void;
  /** Continues the deliveries of an earlier process, and delivers from then on. Called once. */
  start(): Promise<void>;
  /** Interrupts running deliveries, which the next start repeats, and resolves. */
  close(): Promise<void>;
}
