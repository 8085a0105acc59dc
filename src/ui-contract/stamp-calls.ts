/** The calls about stamps, the visible side of PDF signatures: own templates, the remembered place, and the preview. */
import { z } from 'zod';
import { nothing } from './views.ts';

/** Maximum number of bytes of a stamp's image; base64 takes a third more. */
export const largestStampImage = 512 * 1024;

const text = z.string().max(4000);
/** Base64 of a PNG or JPEG. */
const image = z.base64().max(Math.ceil(largestStampImage / 3) * 4);
const id = z.string().min(1).max(40);

/** A stamp's text and image under a name; with an empty text only the image is shown. */
export const stampTemplateView = z.object({ id, name: z.string(), text, image: image.nullable() });

/** A box on a page, in points from the nearest corner of the page as displayed. */
const box = z.object({
  corner: z.enum(['bottom-left', 'bottom-right', 'top-left', 'top-right']),
  x: z.number().min(0),
  y: z.number().min(0),
  width: z.number().positive(),
  height: z.number().positive(),
  /** Moved to the nearest empty part of the page, when something is drawn at the place. */
  clear: z.boolean().optional(),
});

/** The place of a person's stamp, and of the initials on the further pages. */
export const stampPlace = box.extend({
  page: z.union([z.literal('first'), z.literal('last'), z.number().int().min(1)]),
  /** Id of the template; a removed template counts as none. */
  template: id,
  /** Absent: no initials. `text` is a template; an empty text stands for the initials of the signer. */
  initials: box.extend({ text: z.string().max(200) }).optional(),
});

/** A different stamp for one file of a batch. */
export const fileStamp = z.discriminatedUnion('kind', [
  box.extend({ kind: z.literal('place'), pages: z.array(z.number().int()).min(1) }),
  /** In an empty signature field, by its full name. */
  z.object({ kind: z.literal('field'), fieldName: z.string().min(1).max(1000) }),
  z.object({ kind: z.literal('none') }),
]);

/** Name → schemas of input and output. */
export const stampCalls = {
  /** The user's own templates, in the order of creation. */
  'stamps.list': { input: nothing, output: z.array(stampTemplateView) },
  /** Adds a template, or changes the template with this id. A picture other than PNG or JPEG is refused. */
  'stamps.save': {
    input: z.object({ id: id.optional(), name: z.string().trim().min(1).max(60), text, image: image.optional() }),
    output: stampTemplateView,
  },
  'stamps.remove': { input: z.object({ id }), output: nothing },
  /**
   * The stamp that a signature with this certificate would get now: a PDF with a single page of this size. Without
   * `text`, the default template is used.
   */
  'stamps.preview': {
    input: z.object({
      alias: z.string(),
      width: z.number().positive().max(14_400),
      height: z.number().positive().max(14_400),
      text: text.optional(),
      image: image.optional(),
      reason: z.string().max(500).optional(),
      location: z.string().max(500).optional(),
    }),
    output: z.object({ pdf: z.base64() }),
  },
  /** The stored place for the holder of this certificate; it applies to all certificates of the holder. */
  'stamps.place': { input: z.object({ alias: z.string() }), output: z.object({ place: stampPlace.nullable() }) },
  'stamps.keepPlace': { input: z.object({ alias: z.string(), place: stampPlace }), output: nothing },
} as const;

export type StampTemplateView = z.output<typeof stampTemplateView>;
export type FileStamp = z.output<typeof fileStamp>;
export type StampPlace = z.output<typeof stampPlace>;
