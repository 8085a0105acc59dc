import { bytesOf } from '../../format/bytes-of.ts';

/**
 * Resources of pdfjs besides its program: decoders of scanned pages, and the standard fonts (ISO 32000-2 §9.6.2.2). The
 * resources are chunks of script, because the desktop's window may not fetch; each is loaded when a page needs the
 * resource. The tables of Chinese, Japanese and Korean characters for missing fonts are left out: such text shows as
 * boxes, and the page is signed anyway.
 */
const loaders: Readonly<Record<string, () => Promise<{ readonly default: string }>>> = {
  'jbig2.wasm': () => import('pdfjs-dist/wasm/jbig2.wasm?url&inline'),
  'openjpeg.wasm': () => import('pdfjs-dist/wasm/openjpeg.wasm?url&inline'),
  'FoxitDingbats.pfb': () => import('pdfjs-dist/standard_fonts/FoxitDingbats.pfb?url&inline'),
  'FoxitFixed.pfb': () => import('pdfjs-dist/standard_fonts/FoxitFixed.pfb?url&inline'),
  'FoxitFixedBold.pfb': () => import('pdfjs-dist/standard_fonts/FoxitFixedBold.pfb?url&inline'),
  'FoxitFixedBoldItalic.pfb': () => import('pdfjs-dist/standard_fonts/FoxitFixedBoldItalic.pfb?url&inline'),
  'FoxitFixedItalic.pfb': () => import('pdfjs-dist/standard_fonts/FoxitFixedItalic.pfb?url&inline'),
  'FoxitSerif.pfb': () => import('pdfjs-dist/standard_fonts/FoxitSerif.pfb?url&inline'),
  'FoxitSerifBold.pfb': () => import('pdfjs-dist/standard_fonts/FoxitSerifBold.pfb?url&inline'),
  'FoxitSerifBoldItalic.pfb': () => import('pdfjs-dist/standard_fonts/FoxitSerifBoldItalic.pfb?url&inline'),
  'FoxitSerifItalic.pfb': () => import('pdfjs-dist/standard_fonts/FoxitSerifItalic.pfb?url&inline'),
  'FoxitSymbol.pfb': () => import('pdfjs-dist/standard_fonts/FoxitSymbol.pfb?url&inline'),
  'LiberationSans-Bold.ttf': () => import('pdfjs-dist/standard_fonts/LiberationSans-Bold.ttf?url&inline'),
  'LiberationSans-BoldItalic.ttf': () => import('pdfjs-dist/standard_fonts/LiberationSans-BoldItalic.ttf?url&inline'),
  'LiberationSans-Italic.ttf': () => import('pdfjs-dist/standard_fonts/LiberationSans-Italic.ttf?url&inline'),
  'LiberationSans-Regular.ttf': () => import('pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf?url&inline'),
};

/** Gives pdfjs its resources by name, from the bundle. */
export class BundledResources {
  async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    const load = loaders[filename];
    if (load === undefined) throw new Error(`${filename} is not part of the bundle.`);
    const address = (await load()).default;
    return bytesOf(address.slice(address.indexOf(',') + 1));
  }
}
