import { bytesOf } from '../../format/bytes-of.ts';
import { unpack } from './unpack.ts';

/**
 * Resources of pdfjs besides its program: decoders of scanned pages, the standard fonts (ISO 32000-2 §9.6.2.2) and the
 * predefined CMaps (§9.7.5.2), which embedded fonts need too. The resources are chunks of script, because the desktop's
 * window may not fetch; each is loaded when a page needs the resource.
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

/** Gives a document its resources by name, from the bundle. `onFont` is called for each font that the file lacks. */
export function bundledResources(onFont: () => void): new () => { fetch(wanted: Wanted): Promise<Uint8Array> } {
  return class {
    async fetch({ filename }: Wanted): Promise<Uint8Array> {
      if (filename.endsWith('.bcmap')) return characterMap(filename);
      if (/\.(?:pfb|ttf)$/.test(filename)) onFont();
      const load = loaders[filename];
      if (load === undefined) throw new Error(`${filename} is not part of the bundle.`);
      const address = (await load()).default;
      return bytesOf(address.slice(address.indexOf(',') + 1));
    }
  };
}

interface Wanted {
  readonly filename: string;
}

async function characterMap(filename: string): Promise<Uint8Array> {
  const { places, packed } = await import('~drawing/character-maps');
  const place = places[filename];
  if (place === undefined) throw new Error(`${filename} is not part of the bundle.`);
  return new Uint8Array(await unpack(packed)).slice(...place);
}
