/** PDFBox Preflight, asked whether a file is a PDF/A-1b. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SOURCES = fileURLToPath(new URL('preflight', import.meta.url));
const FILES = [
  'CheckArchive.java',
  'javax/activation/DataSource.java',
  'javax/activation/FileDataSource.java',
  'javax/xml/bind/DatatypeConverter.java',
];
const LIBRARIES = ['preflight', 'pdfbox2', 'fontbox2', 'xmpbox', 'commons-logging', 'commons-io'].map(
  (name) => `/usr/share/java/${name}.jar`,
);

/** Compiles the program into the folder and answers a function that tells what is wrong with a file. */
export async function preparePreflight(folder: string): Promise<(path: string) => Promise<readonly string[]>> {
  const classes = join(folder, 'classes');
  await mkdir(classes);
  const libraries = LIBRARIES.join(':');
  await run('javac', ['-nowarn', '-cp', libraries, '-d', classes, ...FILES.map((file) => join(SOURCES, file))]);
  return async (path) => {
    const { stdout } = await run('java', ['-cp', `${classes}:${libraries}`, 'CheckArchive', path]);
    return stdout.split('\n').filter((line) => line !== '');
  };
}
