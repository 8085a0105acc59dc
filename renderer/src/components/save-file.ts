/** Long enough for a browser to have taken the content. */
const keepAddress = 60_000;

/** Gives the user a file to keep, as a download. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), keepAddress);
}
