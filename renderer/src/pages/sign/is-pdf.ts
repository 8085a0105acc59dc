/** The content decides, not the name: ISO 32000-1 readers accept the header within the first 1024 bytes. */
export async function isPdf(file: File): Promise<boolean> {
  try {
    return (await file.slice(0, 1024).text()).includes('%PDF-');
  } catch {
    return file.name.toLowerCase().endsWith('.pdf');
  }
}
