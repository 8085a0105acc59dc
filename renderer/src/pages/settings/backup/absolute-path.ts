/** True if a text is an absolute path: from the root, or from a drive. */
export function isAbsolutePath(text: string): boolean {
  return /^(\/|[A-Za-z]:[\\/]|\\\\).*[^\\/]$/.test(text);
}

/** The path of a name in a folder, with the separator of the folder's path. */
export function pathBelow(folder: string, name: string): string {
  if (folder === '') return '';
  const separator = folder.includes('\\') ? '\\' : '/';
  return `${folder.replace(/[\\/]$/, '')}${separator}${name}`;
}
