import type { Administrator } from '../../service/administration/index.ts';
import type { AdministratorView } from '../../ui-contract/identity-calls.ts';
import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../compose/open-core.ts';

type AdministratorCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `administrators.${string}`>>;

/** The calls about administrators of an instance that other computers reach. */
export function administratorCalls({ administrators }: Pick<Core, 'administrators'>): AdministratorCalls {
  return {
    'administrators.list': async () => (await administrators.list()).map(administratorForUi),
    'administrators.add': async ({ name, scopes }) => {
      const { administrator, token } = await administrators.add(name, scopes);
      return { administrator: administratorForUi(administrator), token };
    },
    'administrators.revoke': async ({ name }) => {
      await administrators.revoke(name);
      return {};
    },
  };
}

function administratorForUi({ name, scopes, createdAt, lastUsedAt }: Administrator): AdministratorView {
  return {
    name,
    scopes: [...scopes],
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
