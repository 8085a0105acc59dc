/** The calls about the archive: where the files that the window signs are put. */
import { z } from 'zod';

/** Decides about names that nobody chose: `-assinado` or `-signed`, `Assinados` or `Signed`. */
export const archiveLanguage = z.enum(['pt-BR', 'en']);

/**
 * Where the results of a batch go. `beside`: beside each file that has a path, the others to the folder of the archive.
 * `folder`: to the named folder, or without a name to the folder of the archive. Nothing is ever replaced.
 */
export const archivePlace = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('beside'), language: archiveLanguage }),
  z.object({ kind: z.literal('folder'), folder: z.string().max(4096).optional(), language: archiveLanguage }),
]);

const archiveView = z.object({
  place: z.enum(['beside', 'folder']),
  /** Absolute path of the folder of the archive, without its month. */
  folder: z.string(),
  /** Absolute path of the folder for files signed today. */
  current: z.string(),
  byMonth: z.boolean(),
  /** The end of the name of a signed PDF. */
  suffix: z.string(),
  /** Whether a person or the configuration chose the folder and the suffix. */
  chosen: z.object({ folder: z.boolean(), suffix: z.boolean() }),
  /** Keys set by the configuration file, the environment or the computer's policy: not changed here. */
  fixed: z.array(z.string()),
});

export const archiveCalls = {
  'archive.read': { input: z.object({ language: archiveLanguage }), output: archiveView },
  /** Counts at once. A folder or suffix of null is the usual one of the language. */
  'archive.change': {
    input: z.object({
      language: archiveLanguage,
      place: z.enum(['beside', 'folder']),
      folder: z.string().max(4096).nullable(),
      byMonth: z.boolean(),
      suffix: z.string().max(100).nullable(),
    }),
    output: archiveView,
  },
} as const;

export type ArchiveView = z.output<typeof archiveView>;
export type ArchivePlace = z.output<typeof archivePlace>;
export type ArchiveLanguage = z.output<typeof archiveLanguage>;
