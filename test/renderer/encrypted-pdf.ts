import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from '../oracles/run-program.ts';

/** The PDF, encrypted with AES-256; this password opens the file. */
export async function encryptPdf(pdf: Buffer, password: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-encrypted-'));
  try {
    const [plain, locked] = [join(folder, 'plain.pdf'), join(folder, 'locked.pdf')];
    await writeFile(plain, pdf);
    await runTool('qpdf', ['--encrypt', password, 'owner', '256', '--', plain, locked]);
    return await readFile(locked);
  } finally {
    await rm(folder, { recursive: true });
  }
}
