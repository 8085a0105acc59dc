/**
 * The kinds of content in a backup that let others in or load code. A restore asks about each kind that a backup has,
 * because its maker may be a stranger.
 */
export const backupGroups = [
  'approval',
  'listeners',
  'sites',
  'administrators',
  'applications',
  'people',
  'trust',
  'timestamps',
  'network',
  'tracing',
  'renewals',
  'stores',
  'storage',
  'work',
  'drivers',
  'others',
] as const;

export type BackupGroup = (typeof backupGroups)[number];

/** The words for the rows of a backup that let others in. A line starts with one of them, as `person: Maria`. */
export const backupWords = [
  'person',
  'user',
  'access token',
  'refresh token',
  'authorization code',
  'application',
  'application of this computer',
  'webhook',
  'administrator',
  'site',
  'grant of files',
  'standing approval',
  'file to renew',
  'unfinished transaction',
  'document to extend',
  'unsent notification',
] as const;

export type BackupWord = (typeof backupWords)[number];

/** One kind of content that a backup has, with a line for each of its parts. */
export interface BackupReach {
  readonly group: BackupGroup;
  readonly lines: readonly string[];
}
