import { buildPdf, onePage } from './build-pdf.ts';

export const USAGE_RIGHTS_METHOD =
  '/Reference [<</Type /SigRef /TransformMethod /UR3 /TransformParams <</Type /TransformParams>>>>]';
/** A range with room for the numbers of the file. */
const RANGE = '/ByteRange [0 111111 222222 333333]';
const CONTENTS = '<3003020101>';

/** A Reader-extended document: its catalog leads to a signature of usage rights, whose range covers the whole file. */
export function readerExtended({
  method = USAGE_RIGHTS_METHOD,
  permissions = '/Perms <</UR3 60 0 R>>',
}: { readonly method?: string; readonly permissions?: string } = {}): Buffer {
  const file = buildPdf(
    onePage({
      1: `<</Type /Catalog /Pages 2 0 R ${permissions}>>`,
      60: `<</Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached ${RANGE} ${method} /Contents ${CONTENTS}>>`,
    }),
  );
  const hole = file.indexOf(CONTENTS);
  const behind = hole + CONTENTS.length;
  const range = `/ByteRange [0 ${hole} ${behind} ${file.length - behind}]`;
  file.write(range.padEnd(RANGE.length), file.indexOf(RANGE), 'latin1');
  return file;
}
