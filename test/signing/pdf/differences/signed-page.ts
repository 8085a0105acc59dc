/** A page with a signed field, in documents whose other objects a test chooses. */
import { readFile } from 'node:fs/promises';
import { appendRevision, buildPdf, onePage, type Objects } from '../build-pdf.ts';
import type { Workshop } from '../workshop.ts';
import { signatureOf } from './contract.ts';

/** The signature field, object 8. */
export const APPROVAL = '<</Type /Annot /Subtype /Widget /FT /Sig /T (approval) /F 4 /Rect [72 72 200 120] /P 3 0 R>>';
/** The page, object 3. */
export const PAGE = '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>> /Annots [8 0 R]>>';

/** A document with these objects, signed in its field. */
export async function signedPage(workshop: Workshop, objects: Objects): Promise<Buffer> {
  const base = onePage({ 3: PAGE, 8: APPROVAL, ...objects });
  const { path } = await workshop.sign(await workshop.write(buildPdf(base)), { fieldName: 'approval' });
  return readFile(path);
}

/** Whether the signature allows a later revision with these objects. */
export async function isChangeAllowed(workshop: Workshop, file: Buffer, changes: Objects): Promise<boolean> {
  const { changesAllowed } = await signatureOf(await workshop.write(appendRevision(file, changes)), 'approval');
  return changesAllowed;
}
