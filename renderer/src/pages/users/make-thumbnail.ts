/** Pixels of each side: sharp at twice the displayed size. */
const side = 192;

/** Most characters of the data URI. */
const limit = 64_000;
const qualities = [0.86, 0.7, 0.5, 0.3] as const;

/**
 * A square from the middle of a picture as a small JPEG, in a data URI (RFC 2397). Nothing else of the file is kept:
 * neither its size nor its location. Null for a file that the browser cannot read as a picture.
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
