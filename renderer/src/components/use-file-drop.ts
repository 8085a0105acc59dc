import { useCallback, useState, type DragEvent } from 'react';

/** Handlers for an element that accepts dropped files, and whether files are dragged over it now. */
export interface FileDrop {
  readonly over: boolean;
  readonly handlers: {
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
  };
}

/** Accepts files dropped on an element; folders are replaced by the files inside. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): FileDrop {
  const [over, setOver] = useState(false);
  const onDragOver = useCallback((event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setOver(true);
  }, []);
  const onDragLeave = useCallback((event: DragEvent) => {
    const next = event.relatedTarget;
    if (!(next instanceof Node && event.currentTarget.contains(next))) setOver(false);
  }, []);
  const onDrop = useCallback(
    (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      void filesOf(event.dataTransfer).then(onFiles);
    },
    [onFiles],
  );
  return { over, handlers: { onDragOver, onDragLeave, onDrop } };
}

/**
 * The dropped files. Browsers permit reading the list of entries only before the first await, so it is read at once.
 */
async function filesOf(transfer: DataTransfer): Promise<readonly File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry?.isDirectory === true)) return plain;
  const found: File[] = [];
  for (const entry of entries) if (entry !== null) found.push(...(await filesBelow(entry)));
  return found;
}

async function filesBelow(entry: FileSystemEntry): Promise<readonly File[]> {
  if (isFile(entry)) {
    const file = await new Promise<File | null>((resolve) => entry.file(resolve, () => resolve(null)));
    return file === null || file.name.startsWith('.') ? [] : [withPath(file, entry.fullPath)];
  }
  if (!isDirectory(entry)) return [];
  const reader = entry.createReader();
  const found: File[] = [];
  for (;;) {
    // Each call returns a part of the folder's entries, and an empty list at the end.
    const part = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (part.length === 0) return found;
    for (const child of part) found.push(...(await filesBelow(child)));
  }
}

/** Gives a dropped file the path that a file of a chosen folder has: `Contratos/2026/a.pdf`. */
function withPath(file: File, fullPath: string): File {
  const path = fullPath.replace(/^\//, '');
  if (path.includes('/')) Object.defineProperty(file, 'webkitRelativePath', { value: path });
  return file;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
