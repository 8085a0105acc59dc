/** The calls about the archive: the place of files that the window signs. */
import { z } from 'zod';

/** The language of default names: `-assinado` or `-signed`, `Assinados` or `Signed`. */
export const archiveLanguage = z.enum(['pt-BR', 'en']);

/**
 * The destination of a batch's results. `beside`: beside each file that has a path, the others in the archive's folder.
 * `folder`: in the named folder, or without a name in the archive's folder. Existing files are never replaced.
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
  /** True for each value that a person or the configuration has chosen. */
  chosen: z.object({ folder: z.boolean(), suffix: z.boolean() }),
  /** Keys set by the configuration file, the environment or the computer's policy, which the window cannot change. */
  fixed: z.array(z.string()),
});

export const archiveCalls = {
  'archive.read': { input: z.object({ language: archiveLanguage }), output: archiveView },
  /** Takes effect at once. Null resets a folder or suffix to the default of the language. */
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
