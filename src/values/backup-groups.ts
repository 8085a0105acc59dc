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

/** One kind of content that a backup has, with a line for each of its parts. */
export interface BackupReach {
  readonly group: BackupGroup;
  readonly lines: readonly string[];
}
