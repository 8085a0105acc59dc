/** Pages drawn by other programs. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Drawing } from '../../renderer/src/components/pdf/compare-drawings.ts';
import { runProgram } from '../oracles/run-program.ts';
import { systemFile } from '../setup/system-packages.ts';

/** Other programs drawing PDFs. */
export const otherPrograms = ['poppler', 'mupdf'] as const;

type OtherProgram = (typeof otherPrograms)[number];

/** A drawing in the size of the window's drawing; null when the program draws nothing. */
export async function drawWith(
  program: OtherProgram,
  path: string,
  page: number,
  { width, height }: Pick<Drawing, 'width' | 'height'>,
  password = '',
): Promise<Drawing | null> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-drawing-'));
  try {
    const result = join(folder, 'page.ppm');
    const draw = program === 'poppler' ? drawWithPoppler : drawWithMupdf;
    const drawn = await draw(result, { path, page, password }, width, height).catch(nothingForEndlessWords);
    // poppler counts width and height before the page is turned (`Rotate`).
    const isTurned = width !== height && drawn?.width === height && drawn.height === width;
    const drawing = isTurned ? await draw(result, { path, page, password }, height, width) : drawn;
    return drawing?.width === width && drawing.height === height ? drawing : null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Some damaged files make a program complain without an end: such a program is stopped, and has drawn nothing. */
function nothingForEndlessWords(error: unknown): null {
  const { cause } = error as Error;
  if (cause instanceof Error && cause.message.includes('maxBuffer')) return null;
  throw error;
}

interface DrawnFile {
  readonly path: string;
  readonly page: number;
  readonly password: string;
}

async function drawWithPoppler(
  result: string,
  { path, page, password }: DrawnFile,
  width: number,
  height: number,
): Promise<Drawing | null> {
  // Without its tables, poppler draws nothing of such text.
  systemFile("poppler's CMaps");
  const secret = password === '' ? [] : ['-upw', password];
  const size = ['-scale-to-x', String(width), '-scale-to-y', String(height)];
  const pages = ['-f', String(page), '-l', String(page), '-singlefile'];
  await runProgram('pdftoppm', [...secret, '-cropbox', ...size, ...pages, path, result.slice(0, -4)], {
    limit: 60_000,
  });
  return readDrawing(result);
}

async function drawWithMupdf(
  result: string,
  { path, page, password }: DrawnFile,
  width: number,
  height: number,
): Promise<Drawing | null> {
  const secret = password === '' ? [] : ['-p', password];
  const size = ['-w', String(width), '-h', String(height), '-f'];
  await runProgram('mutool', ['draw', '-q', ...secret, ...size, '-F', 'ppm', '-o', result, path, String(page)], {
    limit: 60_000,
  });
  return readDrawing(result);
}

async function readDrawing(path: string): Promise<Drawing | null> {
  const bytes = await readFile(path).catch(() => null);
  return bytes === null ? null : readPixmap(bytes);
}

/** Reads a binary portable pixmap (`P6`). */
function readPixmap(bytes: Buffer): Drawing | null {
  const header = /^P6\s+(?:#[^\n]*\n\s*)*(\d+)\s+(\d+)\s+255\s/.exec(bytes.subarray(0, 200).toString('latin1'));
  if (header === null) return null;
  const [width, height] = [Number(header[1]), Number(header[2])];
  const pixels = new Uint8Array(width * height * 4).fill(255);
  const from = header[0].length;
  if (bytes.length < from + width * height * 3) return null;
  for (let at = 0, source = from; at < pixels.length; at += 4, source += 3) {
    pixels[at] = bytes[source] ?? 0;
    pixels[at + 1] = bytes[source + 1] ?? 0;
    pixels[at + 2] = bytes[source + 2] ?? 0;
  }
  return { width, height, pixels };
}
