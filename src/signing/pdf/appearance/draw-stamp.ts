import { realNumber } from '../syntax/serialize.ts';
import type { SignatureAppearance } from '../sign-request.ts';
import { NewDocument } from '../writing/new-document.ts';
import { PdfName, PdfReference } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import { unusableAppearance } from './appearance-error.ts';
import { StampPainter } from './stamp-painter.ts';

/** A stamp without a page to stand on; sizes are points. */
export type StampDrawing = Pick<SignatureAppearance, 'width' | 'height' | 'text' | 'image'>;

const dictionary = (entries: Readonly<Record<string, PdfValue>>): PdfDictionary => new Map(Object.entries(entries));

/**
 * A PDF with a single page of the stamp's size, drawn by the same painter as a signature's stamp. Free areas are
 * transparent. Throws `PDF_APPEARANCE_INVALID` like signing.
 */
export function drawStamp({ width, height, ...content }: StampDrawing): Buffer {
  if (!(width > 0 && height > 0)) unusableAppearance('A visible signature needs a width and a height above 0.');
  const document = new NewDocument();
  const painter = new StampPainter(document, { part: undefined, allowsTransparency: true }, content);
  const form = painter.draw(width, height, 0);
  const contents = document.allocate();
  document.addStream(contents, new Map(), Buffer.from('/S1 Do', 'latin1'));
  const tree = document.allocate();
  const page = document.create(
    dictionary({
      Type: new PdfName('Page'),
      Parent: new PdfReference(tree, 0),
      MediaBox: [0, 0, realNumber(width), realNumber(height)],
      Contents: new PdfReference(contents, 0),
      Resources: dictionary({ XObject: dictionary({ S1: form }) }),
    }),
  );
  document.put(tree, dictionary({ Type: new PdfName('Pages'), Kids: [page], Count: 1 }));
  const root = document.create(dictionary({ Type: new PdfName('Catalog'), Pages: new PdfReference(tree, 0) }));
  return document.finish(dictionary({ Root: root }));
}
