import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import type { KeySources } from '../compose/key-sources.ts';
import { moduleForUi, moduleTestForUi, suggestionForUi, tokenForUi } from './views.ts';

type ModuleCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `modules.${string}` | `tokens.${string}`>>;

/** The calls about PKCS#11 drivers and their tokens. */
export function moduleCalls(keys: KeySources): ModuleCalls {
  return {
    'tokens.list': async () => (await keys.tokens()).map(tokenForUi),
    'modules.list': async () => (await keys.modules()).map(moduleForUi),
    'modules.suggest': async () => (await keys.suggestions()).map(suggestionForUi),
    'modules.test': async ({ path }) => moduleTestForUi(await keys.test(path)),
    'modules.add': async ({ path }) => moduleTestForUi(await keys.add(path)),
    'modules.remove': async ({ id }) => {
      await keys.remove(id);
      return {};
    },
    'modules.retry': async ({ id }) => moduleForUi(await keys.retry(id)),
  };
}
