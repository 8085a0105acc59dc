import { kindOf, type FileKind } from './pair-files.ts';

/** A file that was dropped or chosen. */
export interface GivenFile {
  readonly file: File;
  readonly name: string;
  readonly kind: FileKind;
}

/** A file with what it is, told by its name and its first kilobyte; one that cannot be read, by its name. */
export async function readGivenFile(file: File): Promise<GivenFile> {
  const head = await file
    .slice(0, 1024)
    .arrayBuffer()
    .then((content) => String.fromCharCode(...new Uint8Array(content)))
    .catch(() => '');
  return { file, name: file.name, kind: kindOf(file.name, head) };
}

/** The same for the same file that is chosen twice. */
export function fileIdentity(file: File): string {
  return `${file.webkitRelativePath}/${file.name}/${file.size}/${file.lastModified}`;
}
