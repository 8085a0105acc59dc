/** Whether a text is the whole path of something: from the root on, or from a drive. */
export function isAbsolutePath(text: string): boolean {
  return /^(\/|[A-Za-z]:[\\/]|\\\\).*[^\\/]$/.test(text);
}

/** A name below a folder, written as the folder is. */
export function pathBelow(folder: string, name: string): string {
  if (folder === '') return '';
  const separator = folder.includes('\\') ? '\\' : '/';
  return `${folder.replace(/[\\/]$/, '')}${separator}${name}`;
}
