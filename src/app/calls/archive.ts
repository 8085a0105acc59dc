import { mkdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { ServiceError } from '../../service/errors/index.ts';
import { resultFileName, type SignatureType } from '../../service/signature-types/index.ts';
import { plainFileName } from '../../service/transactions/index.ts';
import { fitFileName } from '../../text/file-name.ts';
import { withoutUnseen } from '../../text/visible-text.ts';
import type { ArchiveLanguage, ArchivePlace, ArchiveView } from '../../ui-contract/archive-calls.ts';
import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import { changeChosenSettings, readChosenSettings } from '../config/chosen-settings.ts';
import { nameSuffix } from '../config/key-schemas.ts';
import { documentsFolder } from '../config/documents-folder.ts';
import type { Core } from '../compose/open-core.ts';

type ArchiveCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `archive.${string}`>>;
type ArchiveCore = Pick<Core, 'dataFolder' | 'configuration' | 'now'>;

/** Default names, by the language of the window. */
const usual = {
  'pt-BR': { folder: 'Assinados', suffix: '-assinado' },
  en: { folder: 'Signed', suffix: '-signed' },
} as const satisfies Record<ArchiveLanguage, unknown>;

/** Folders in folders that results keep; deeper ones are joined. */
const MOST_FOLDERS = 8;

/** The calls about the places of signed files. */
export function archiveCalls(core: ArchiveCore): ArchiveCalls {
  return {
    'archive.read': async ({ language }) => readArchive(core, language),
    'archive.change': async ({ language, place, folder, byMonth, suffix }) => {
      if (folder !== null && !isAbsolute(folder)) {
        throw new ServiceError('REQUEST_INVALID', 'Give the folder as an absolute path.');
      }
      if (suffix !== null && !nameSuffix.test(suffix)) {
        throw new ServiceError('REQUEST_INVALID', 'A file name cannot end like this: choose other characters.');
      }
      await changeChosenSettings(core.dataFolder, core.configuration.fixedKeys, {
        'archive.place': place,
        'archive.folder': folder ?? undefined,
        'archive.by_month': byMonth,
        'archive.suffix': suffix ?? undefined,
      });
      return readArchive(core, language);
    },
  };
}

/**
 * The present place of signed files: a choice in the window takes effect at once, unless the configuration fixes the
 * key.
 */
export async function readArchive(
  { dataFolder, configuration, now }: ArchiveCore,
  language: ArchiveLanguage,
  documents: () => string = documentsFolder,
): Promise<ArchiveView> {
  const { archive, fixedKeys } = configuration;
  const chosen = await readChosenSettings(dataFolder);
  const isFixed = (key: string): boolean => fixedKeys.includes(key);
  const folder = isFixed('archive.folder') ? archive.folder : chosen['archive.folder'];
  const suffix = isFixed('archive.suffix') ? archive.suffix : chosen['archive.suffix'];
  const byMonth = isFixed('archive.by_month') ? archive.byMonth : (chosen['archive.by_month'] ?? true);
  const root = folder ?? join(documents(), usual[language].folder);
  return {
    place: isFixed('archive.place') ? archive.place : (chosen['archive.place'] ?? 'beside'),
    folder: root,
    current: byMonth ? join(root, monthOf(now())) : root,
    byMonth,
    suffix: suffix ?? usual[language].suffix,
    chosen: { folder: folder !== undefined, suffix: suffix !== undefined },
    fixed: fixedKeys.filter((key) => key.startsWith('archive.')),
  };
}

/** `2026-11`, in local time. */
const monthOf = (time: Date): string => `${time.getFullYear()}-${String(time.getMonth() + 1).padStart(2, '0')}`;

/** A file whose result gets a place. */
interface FileToPlace {
  readonly name: string;
  readonly path?: string | undefined;
  /** The folder that the user chose, with its folders inside: `Contratos/2026`. The result keeps it. */
  readonly folder?: string | undefined;
}

/**
 * Chooses the path of each file's result. An entry of `paths` is undefined for a file whose path is unknown. Creates
 * the archive's folder if a result goes there. Rejects with `FOLDER_NOT_FOUND`.
 */
export async function chooseResultPaths(
  core: ArchiveCore,
  place: ArchivePlace,
  type: SignatureType,
  files: readonly FileToPlace[],
): Promise<readonly string[]> {
  const { current, suffix } = await readArchive(core, place.language);
  const isBeside = (path: string | undefined): path is string => place.kind === 'beside' && path !== undefined;
  const folder = place.kind === 'folder' && place.folder !== undefined ? place.folder : current;
  const folderOf = ({ path, folder: own }: FileToPlace): string =>
    isBeside(path) ? dirname(path) : join(folder, keptFolder(own));
  for (const wanted of new Set(files.filter(({ path }) => !isBeside(path)).map(folderOf))) await makeFolder(wanted);
  return files.map((file) => join(folderOf(file), archivedName(file.name, type, suffix)));
}

/** The name of a result, without the folders that a caller may have sent. */
const archivedName = (name: string, type: SignatureType, suffix: string): string =>
  resultFileName(basename(name.replaceAll('\\', '/')), type, suffix);

/** `Contratos/2026` as a path below the archive: names that would leave the archive, or that no disk keeps, are left out. */
function keptFolder(folder: string | undefined): string {
  const names = (folder ?? '').split(/[\\/]/).map((name) => plainFileName(withoutUnseen(name)));
  return join(...names.flatMap((name) => (name === undefined ? [] : [fitFileName(name, '')])).slice(0, MOST_FOLDERS));
}

async function makeFolder(path: string): Promise<void> {
  if (!isAbsolute(path)) throw new ServiceError('REQUEST_INVALID', 'Give the folder as an absolute path.');
  await mkdir(path, { recursive: true }).catch((cause: unknown) => {
    const message = 'The folder for signed files cannot be made. Choose another folder in the settings.';
    throw new ServiceError('FOLDER_NOT_FOUND', message, { cause });
  });
}
