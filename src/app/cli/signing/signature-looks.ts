import { readFile } from 'node:fs/promises';
import { pdfTypes, type SignatureType } from '../../../request/signature-types.ts';
import type { CallInput } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import { readOpeningSecrets, type OpeningOptions } from '../opening-options.ts';
import { readRequestOptions } from '../request-options.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';

/** The options of a signature and its visible stamp, in the form of calls. */
export type Looks = Pick<
  CallInput<'sign.paths'>,
  keyof ReturnType<typeof readRequestOptions> | 'password' | 'recipient' | 'autoFix'
>;

type Place = Pick<NonNullable<Looks['visible']>, 'pages' | 'x' | 'y' | 'width' | 'height'>;

/** Options of `sign` for the attributes of a signature and its appearance in a PDF. */
export interface LooksOptions extends OpeningOptions {
  readonly visible?: Place | true;
  readonly visibleImage?: string;
  readonly visibleText?: string;
  readonly autoFix?: boolean;
}

/** The options in the form of the core; options for PDFs only are left out for other files. */
export async function readLooks(options: LooksOptions, type: SignatureType): Promise<Looks> {
  const common: Looks = readRequestOptions(options, type);
  if (!pdfTypes.includes(type)) return common;
  return {
    ...common,
    ...(await readOpeningSecrets(options)),
    ...dropUndefined({ visible: await readVisible(options), autoFix: options.autoFix }),
  };
}

async function readVisible({ visible, visibleImage, visibleText }: LooksOptions): Promise<Looks['visible']> {
  if (visible === undefined && visibleImage === undefined && visibleText === undefined) return undefined;
  const { usualPlace } = await import('../../../service/transactions/index.ts');
  return {
    ...(visible === undefined || visible === true
      ? { ...usualPlace, pages: [...usualPlace.pages], clear: true }
      : visible),
    image: visibleImage === undefined ? undefined : (await readImage(visibleImage)).toString('base64'),
    text: visibleText === undefined ? undefined : visibleText.replaceAll('\\n', '\n'),
  };
}

async function readImage(path: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    throw new AppError(2, `The picture ${path} cannot be read.`, { cause });
  });
}

/** `page,x,y,width,height`; the page is a number, or `last`. */
export function readPlace(text: string): Place {
  const match = /^(-?\d+),([\d.-]+),([\d.-]+),([\d.]+),([\d.]+)$/.exec(
    text.replace(/\s/g, '').replace(/^last,/, '-1,'),
  );
  const [page = 0, x = Number.NaN, y = 0, width = 0, height = 0] = (match ?? []).slice(1).map(Number);
  if ([page, x, y, width, height].some((number) => Number.isNaN(number))) {
    throw new AppError(2, `"${text}" is not a place: give page,x,y,width,height.`);
  }
  return { pages: [page], x, y, width, height };
}
