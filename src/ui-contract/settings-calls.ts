/** The calls about what an operator sets: the way to the network, limits, and backups. */
import { z } from 'zod';
import { instant, nothing } from './views.ts';

const hosts = z.array(z.string().min(1).max(300)).max(200);

const settingsView = z.object({
  network: z.object({
    /** Without user and password. */
    proxy: z.string().nullable(),
    proxyHasCredentials: z.boolean(),
    noProxy: hosts,
    /** Hosts in private networks that may be reached. */
    allow: hosts,
  }),
  /** Keys of the configuration that its file, the environment or the computer's policy sets: not changed here. */
  fixed: z.array(z.string()),
  /** What was changed here takes effect when Sinete starts again. */
  restartNeeded: z.boolean(),
  /** Sizes are octets, times seconds. */
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
  /** Where a backup is proposed to go. */
  folder: z.string(),
  /** Copies of the database from before its tables were changed, newest first. */
  copies: z.array(fileView),
  /** Databases and data folders that were set aside, newest first. */
  aside: z.array(fileView.extend({ kind: z.enum(['damaged', 'replaced', 'folder']) })),
  /** A restored backup that takes the place of the data folder when Sinete starts again. */
  pending: z.object({ createdAt: instant, documents: z.number().int(), auditIntact: z.boolean() }).nullable(),
});

export const settingsCalls = {
  'settings.read': { input: nothing, output: settingsView },
  /** Takes effect when Sinete starts again. */
  'settings.changeNetwork': {
    input: z.object({ proxy: z.string().max(500).nullable(), noProxy: hosts, allow: hosts }),
    output: settingsView,
  },
  /** The order in which time-stamp servers are asked; names each of them once. */
  'tsa.reorder': { input: z.object({ ids: z.array(z.string().max(64)).max(100) }), output: nothing },

  'backup.read': { input: nothing, output: backupView },
  /**
   * Unpacks and checks a backup beside the data folder, whose place it takes when Sinete starts again; the one that is
   * there now is set aside then. Until then nothing has changed.
   */
  'backup.restore': {
    input: z.object({ path: z.string().max(4096), passphrase: z.string().max(1000) }),
    output: backupView,
  },
  'backup.cancelRestore': { input: nothing, output: backupView },
} as const;

export type SettingsView = z.output<typeof settingsView>;
export type BackupView = z.output<typeof backupView>;
