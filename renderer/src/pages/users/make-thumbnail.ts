/** Pixels on each side: twice the displayed size, for sharpness. */
const side = 192;

/** Maximum number of characters of the data URI. */
const limit = 64_000;
const qualities = [0.86, 0.7, 0.5, 0.3] as const;

/**
 * A square from the middle of an image as a small JPEG, in a data URI (RFC 2397). Metadata of the file, such as its
 * location, is dropped. Null if the browser cannot read the file as an image.
 */
export async function makeThumbnail(file: Blob): Promise<string | null> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return null;
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const edge = Math.min(picture.width, picture.height);
  // JPEG has no transparency: transparent areas become white, not black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, side, side);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, (picture.width - edge) / 2, (picture.height - edge) / 2, edge, edge, 0, 0, side, side);
  picture.close();
  for (const quality of qualities) {
    const uri = canvas.toDataURL('image/jpeg', quality);
    if (uri.startsWith('data:image/jpeg') && uri.length <= limit) return uri;
  }
  return null;
}
