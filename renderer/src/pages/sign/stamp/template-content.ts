import type { StampTemplateView } from '../../../../../src/ui-contract/stamp-calls.ts';
import { builtInTemplates, initialStamp, type StampOptions } from '../stamp-options.ts';
import { markPicture } from './picture.ts';

/** Words and picture of a template: a user template, a built-in template, or the default for a deleted template. */
export async function readTemplateContent(
  template: string,
  own: StampTemplateView | null,
): Promise<Pick<StampOptions, 'template' | 'text' | 'image'>> {
  if (own !== null) return { template, text: own.text, image: own.image };
  const builtIn = builtInTemplates.find(({ id }) => id === template);
  const { text, image } = initialStamp;
  if (builtIn === undefined) return { template: initialStamp.template, text, image };
  return { template, text: builtIn.text, image: builtIn.hasPicture ? await markPicture() : null };
}
