/** Milliseconds, long enough for a browser to read the content. */
const keepAddress = 60_000;

/** Saves a file through the browser's download. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), keepAddress);
}
