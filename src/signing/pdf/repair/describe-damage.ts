import { SigningError } from '../../errors.ts';
import type { PdfKeys } from '../encryption/standard-security.ts';
import { PdfFile } from '../reading/pdf-file.ts';
import { walkPages } from '../reading/page-tree.ts';
import { IncrementalUpdate } from '../writing/incremental-update.ts';
import { mendPages } from './mend-pages.ts';
import { openScanned } from './open-scanned.ts';
import { scanObjects } from './scan-objects.ts';

/** The findings of a repair of a damaged PDF, before the repair. */
interface Remains {
  readonly pages: number;
  readonly hasSignature: boolean;
}

/** Looks for pages as a repair does, and writes nothing. Throws where no page can be found. */
async function findRemains(path: string, keys: PdfKeys): Promise<Remains> {
  const file = await PdfFile.open(path);
  const scanned = await Promise.resolve()
    .then(() => scanObjects(file))
    .finally(async () => file.close());
  const { document, section } = await openScanned(path, keys, scanned);
  try {
    section.addObjectStreams(document);
    const update = new IncrementalUpdate(document);
    mendPages(document, section, update);
    const { value: catalog } = update.locate(section.trailer.get('Root'));
    const locate: IncrementalUpdate['locate'] = (value, holder) => update.locate(value, holder);
    const pages = catalog instanceof Map ? [...walkPages(catalog, locate)].length : 0;
    return { pages, hasSignature: scanned.hasSignature };
  } finally {
    await document.close();
  }
}

/** The reason inside the message of `PDF_MALFORMED`. */
const reasonOf = ({ message }: SigningError): string =>
  /^The PDF is damaged: (.*?)\. Save it again/s.exec(message)?.[1] ?? 'its structure cannot be read';

/**
 * Replaces `PDF_MALFORMED` by `PDF_DAMAGED` for a PDF in which a repair finds pages, and says what a signature in it is
 * worth. Signing, validating and the window use these words; other errors come back unchanged.
 */
export async function describeDamage(path: string, keys: PdfKeys, error: unknown): Promise<unknown> {
  if (!(error instanceof SigningError) || error.code !== 'PDF_MALFORMED') return error;
  const remains = await findRemains(path, keys).catch(() => undefined);
  if (remains === undefined || remains.pages === 0) return error;
  const found = remains.pages === 1 ? '1 page' : `${remains.pages} pages`;
  const rest = remains.hasSignature
    ? 'It carries a signature, which cannot be judged and which a repair would break: ask its author for a sound copy.'
    : 'A repair can be asked for when the PDF is signed (--auto-fix, auto_fix_document); a signature in it could not be judged.';
  return new SigningError('PDF_DAMAGED', `The PDF is damaged: ${reasonOf(error)}. A repair finds ${found}. ${rest}`, {
    cause: error,
  });
}
