import { KIND_HEAD } from '../../../../src/values/file-kind.ts';
import { kindOf, type FileKind } from './pair-files.ts';

/** A dropped or chosen file. */
export interface GivenFile {
  readonly file: File;
  readonly name: string;
  readonly kind: FileKind;
}

/** A file with its kind, by its name and its first kilobyte; if the file is unreadable, by its name alone. */
export async function readGivenFile(file: File): Promise<GivenFile> {
  const head = await file
    .slice(0, KIND_HEAD)
    .arrayBuffer()
    .then((content) => new Uint8Array(content))
    .catch(() => new Uint8Array());
  return { file, name: file.name, kind: kindOf(file.name, head) };
}

/** A text that is equal if the same file is chosen twice. */
export function fileIdentity(file: File): string {
  return `${file.webkitRelativePath}/${file.name}/${file.size}/${file.lastModified}`;
}
