/** The accounts of this instance. */
export type { AccountStore, AttemptRecord, AttemptStore, NewAccount, StoredAccount } from './accounts.ts';
export type { Account, Accounts } from './accounts.ts';
export { AttemptLimits, placeOfAttempt } from './attempt-limits.ts';
export type { Pause } from './attempt-limits.ts';
export { isTaxpayerNumber } from './check-person.ts';
export { createAccounts } from './create-accounts.ts';
