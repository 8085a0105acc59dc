/** The calls about an operator's settings: the network, limits, and backups. */
import { z } from 'zod';
import { backupGroups } from '../values/backup-groups.ts';
import { instant, nothing } from './views.ts';

const hosts = z.array(z.string().min(1).max(300)).max(200);

const settingsView = z.object({
  network: z.object({
    /** Without user and password. */
    proxy: z.string().nullable(),
    proxyHasCredentials: z.boolean(),
    noProxy: hosts,
    /** Permitted hosts in private networks. */
    allow: hosts,
  }),
  /** Keys set by the configuration file, the environment or the computer's policy, which the window cannot change. */
  fixed: z.array(z.string()),
  /** True when a change takes effect at the next start. */
  restartNeeded: z.boolean(),
  /** Sizes are bytes, times seconds. */
  limits: z.object({
    documentSize: z.number(),
    documents: z.number(),
    lifetime: z.number(),
    uploadTimeout: z.number(),
  }),
});

const fileView = z.object({
  /** Absolute. */
  path: z.string(),
  time: instant,
  size: z.number().int(),
});

const backupView = z.object({
  /** The proposed folder for a backup. */
  folder: z.string(),
  /** Copies of the database made before changes of its tables, newest first. */
  copies: z.array(fileView),
  /** Databases and data folders set aside, newest first. */
  aside: z.array(fileView.extend({ kind: z.enum(['damaged', 'replaced', 'folder']) })),
  /** A restored backup that replaces the data folder at the next start. */
  pending: z.object({ createdAt: instant, documents: z.number().int(), auditIntact: z.boolean() }).nullable(),
});

/** What a backup opens, before a restore; `isOwn`: this instance has made the backup. */
const restoreQuestion = z.object({
  isOwn: z.boolean(),
  kinds: z.array(z.object({ group: z.enum(backupGroups), lines: z.array(z.string()) })),
});

export const settingsCalls = {
  'settings.read': { input: nothing, output: settingsView },
  /** Takes effect when Sinete starts again. */
  'settings.changeNetwork': {
    input: z.object({ proxy: z.string().max(500).nullable(), noProxy: hosts, allow: hosts }),
    output: settingsView,
  },
  /** Sets the order of requests to time-stamp servers; names each server once. */
  'tsa.reorder': { input: z.object({ ids: z.array(z.string().max(64)).max(100) }), output: nothing },

  'backup.read': { input: nothing, output: backupView },
  /**
   * Unpacks and checks a backup next to the data folder. The next start replaces the data folder and sets the old one
   * aside. Until then nothing changes. Without `keep`, a backup that lets others in or loads code is only asked about:
   * the answer says `asks`. With `keep`, these kinds are restored and no others.
   */
  'backup.restore': {
    input: z.object({
      path: z.string().max(4096),
      passphrase: z.string().max(1000),
      keep: z.array(z.enum(backupGroups)).max(backupGroups.length).optional(),
    }),
    output: z.object({ backup: backupView, asks: restoreQuestion.nullable() }),
  },
  'backup.cancelRestore': { input: nothing, output: backupView },
} as const;

export type SettingsView = z.output<typeof settingsView>;
export type RestoreQuestion = z.output<typeof restoreQuestion>;
export type BackupView = z.output<typeof backupView>;
