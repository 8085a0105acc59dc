import mark from '../../../../../assets/icon.svg?url';
import { readBase64 } from '../../../format/read-base64.ts';

/** Maximum number of bytes of an image that the core accepts. */
export const largestStampImage = 512 * 1024;

/** Base64 of a PNG or JPEG, or the file's problem. */
export type Picture =
  { readonly ok: true; readonly image: string } | { readonly ok: false; readonly trouble: 'kind' | 'size' };

/** Reads a PNG or JPEG, recognized by its first bytes. */
export async function readPicture(file: File): Promise<Picture> {
  if (file.size > largestStampImage) return { ok: false, trouble: 'size' };
  const image = await readBase64(file);
  // The beginnings of both formats, in base64.
  if (image === null || !/^(iVBORw0KGgo|\/9j\/)/.test(image)) return { ok: false, trouble: 'kind' };
  return { ok: true, image };
}

/** Pixels of the mark on each side. */
const markSize = 256;

/** Sinete's own mark as a PNG: the default picture of templates with a picture. */
export async function markPicture(): Promise<string | null> {
  const picture = new Image(markSize, markSize);
  picture.src = mark;
  try {
    await picture.decode();
  } catch {
    return null;
  }
  const canvas = document.createElement('canvas');
  canvas.width = markSize;
  canvas.height = markSize;
  canvas.getContext('2d')?.drawImage(picture, 0, 0, markSize, markSize);
  const address = canvas.toDataURL('image/png');
  return address.slice(address.indexOf(',') + 1);
}
