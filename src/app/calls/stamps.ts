import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../compose/open-core.ts';

type StampCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `stamps.${string}`>>;

/** The calls about stamps. */
export function stampCalls({ stamps, keys }: Pick<Core, 'stamps' | 'keys'>): StampCalls {
  return {
    'stamps.list': async () => stamps.list(),
    'stamps.save': async ({ id, image, ...entry }) => stamps.save({ ...entry, id, image }),
    'stamps.remove': async ({ id }) => {
      await stamps.remove(id);
      return {};
    },
    'stamps.preview': async ({ alias, ...input }) => {
      const pdf = await stamps.preview(await keys.ring.find(alias), input);
      return { pdf: pdf.toString('base64') };
    },
    'stamps.place': async ({ alias }) => ({ place: await stamps.place(await keys.ring.find(alias)) }),
    'stamps.keepPlace': async ({ alias, place }) => {
      await stamps.keepPlace(await keys.ring.find(alias), place);
      return {};
    },
  };
}
