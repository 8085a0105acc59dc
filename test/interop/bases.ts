/** The documents for changes by foreign writers: one for each way of programs to write a PDF. */
import { join } from 'node:path';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { runTool } from '../oracles/run-program.ts';
import {
  buildPdf,
  emptySignatureField,
  onePage,
  taggedPage,
  withFields,
  type Objects,
  type PdfShape,
} from '../signing/pdf/build-pdf.ts';
import { makeWithQpdf } from '../signing/pdf/oracles.ts';
import { writeArchiveBases } from './archive-bases.ts';
import { writePeopleBases } from './people-bases.ts';

/** A document, and the password, if encrypted. */
export interface Base {
  readonly name: string;
  readonly path: string;
  readonly password?: string;
  readonly hasTextField: boolean;
  /** True where the new writers sign in every order. */
  readonly everyOrder?: boolean;
}

/** An empty signature field; its signature locks the text field. */
export const LOCKING_FIELD = 'locking';

/** The name of the base with this field. */
export const LOCKING_BASE = 'form with a lock';

const TEXT =
  '<</Type /Annot /Subtype /Widget /FT /Tx /T (name) /F 4 /Rect [72 600 300 620] /P 3 0 R /DA (/Helv 12 Tf)>>';
const FORM = '/DA (/Helv 0 Tf) /DR <</Font <</Helv 5 0 R>>>>';
const form = withFields({ 6: TEXT }, FORM);
const LOCK = '/Lock <</Type /SigFieldLock /Action /Include /Fields [(name)]>>';
const lockingForm = withFields({ 6: TEXT, 7: emptySignatureField(LOCKING_FIELD, LOCK) }, FORM);
const tagged = taggedPage();
const withInfo = (objects: Objects): Objects => ({ ...objects, 30: '<</Title (Base) /Producer (tests)>>' });
const info = '/Info 30 0 R';

/** Bases written by code: the objects and the form of the cross-reference. */
const WRITTEN: readonly (readonly [name: string, objects: Objects, shape: PdfShape])[] = [
  ['plain', withInfo(onePage()), { trailer: info }],
  ['PDF 1.3', withInfo(onePage()), { trailer: info, version: '1.3' }],
  ['PDF 2.0', withInfo(onePage()), { trailer: info, version: '2.0' }],
  ['Word hybrid', withInfo(tagged), { trailer: info, kind: 'word', compressed: [21, 22] }],
  ['hybrid', withInfo(onePage()), { trailer: info, kind: 'hybrid', compressed: [30] }],
  ['object streams', withInfo(onePage()), { trailer: info, kind: 'stream', compressed: [2, 3, 5] }],
  ['tagged', withInfo(tagged), { trailer: info }],
  ['form', withInfo(form), { trailer: info }],
  [LOCKING_BASE, withInfo(lockingForm), { trailer: info }],
  ['form in object streams', withInfo(form), { trailer: info, kind: 'stream', compressed: [2, 3, 5, 6] }],
];

/** The bases written by code. */
export const writtenFiles = (): readonly (readonly [name: string, file: Buffer])[] =>
  WRITTEN.map(([name, objects, shape]) => [name, buildPdf(objects, shape)]);

/** Bases made by qpdf from the form. */
const CONVERTED: readonly (readonly [name: string, parameters: readonly string[], password?: string])[] = [
  ['linearized', ['--linearize']],
  ['linearized with object streams', ['--linearize', '--object-streams=generate']],
  ['AES-128', ['--encrypt', '', 'owner', '128', '--use-aes=y', '--'], 'owner'],
  ['AES-256', ['--encrypt', '', 'owner', '256', '--'], 'owner'],
];

/** A page for LibreOffice to make a PDF with a form. */
const LETTER = `<html lang="en"><head><title>Letter</title></head><body><h1>Letter</h1><p>Pay 100 EUR to Alice.</p>
<form action="/x"><input type="text" name="name" value=""></form></body></html>`;

/** Bases of LibreOffice, by the options of its PDF export. `IsAddStream` puts the OpenDocument file into the PDF. */
const EXPORTED: readonly (readonly [name: string, options: Readonly<Record<string, object>>])[] = [
  ['LibreOffice', {}],
  ['LibreOffice tagged', { UseTaggedPDF: { type: 'boolean', value: 'true' } }],
  ['LibreOffice hybrid', { IsAddStream: { type: 'boolean', value: 'true' } }],
  ['LibreOffice PDF/A-2', { SelectPdfVersion: { type: 'long', value: '2' } }],
];

/** Bases keeping PDF/A, open to foreign programs too. */
const ARCHIVED: ReadonlySet<string> = new Set(['PDF/A-1b', 'PDF/A-3b', 'PDF/A-4']);

/** Lets LibreOffice export; its settings are in a folder of their own. */
async function exportWithLibreOffice(folder: string, path: string, options: object): Promise<void> {
  const source = path.replace(/\.pdf$/, '.html');
  await writeFile(source, LETTER);
  await runTool('soffice', [
    `-env:UserInstallation=${pathToFileURL(join(folder, 'libreoffice')).href}`,
    '--headless',
    '--convert-to',
    `pdf:writer_web_pdf_Export:${JSON.stringify(options)}`,
    '--outdir',
    folder,
    source,
  ]);
}

/** Writes the bases with a word in their names into a folder. */
export async function writeBases(folder: string, wanted: string): Promise<readonly Base[]> {
  const isWanted = ([name]: readonly [name: string, ...rest: unknown[]]): boolean => name.includes(wanted);
  const bases: Base[] = [];
  for (const [name, objects, shape] of WRITTEN.filter(isWanted)) {
    const path = join(folder, `${bases.length}.pdf`);
    await writeFile(path, buildPdf(objects, shape));
    bases.push({ name, path, hasTextField: objects[6] === TEXT });
  }
  const source = join(folder, 'form.pdf');
  await writeFile(source, buildPdf(withInfo(form), { trailer: info }));
  for (const [name, parameters, password] of CONVERTED.filter(isWanted)) {
    const path = join(folder, `${bases.length}.pdf`);
    await makeWithQpdf([...parameters, source, path]);
    bases.push({ name, path, hasTextField: true, password });
  }
  for (const [name, options] of EXPORTED.filter(isWanted)) {
    const path = join(folder, `${bases.length}.pdf`);
    await exportWithLibreOffice(folder, path, options);
    bases.push({ name, path, hasTextField: true });
  }
  for (const { name, path } of await writeArchiveBases(await mkdtemp(join(folder, 'archive-')))) {
    if (ARCHIVED.has(name) && name.includes(wanted)) bases.push({ name, path, hasTextField: false });
  }
  const people = await writePeopleBases(folder);
  return [
    ...bases,
    ...people.filter(({ name }) => name.includes(wanted)).map((base) => ({ ...base, everyOrder: true })),
  ];
}
