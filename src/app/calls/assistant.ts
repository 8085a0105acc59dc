import type { CachedUser } from '../../service/assistant/index.ts';
import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import type { CachedUserView } from '../../ui-contract/site-calls.ts';
import type { Core } from '../compose/open-core.ts';

type AssistantCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `assistant.${string}`>>;

/** The calls about the users of this computer. */
export function assistantCalls({ assistant }: Pick<Core, 'assistant'>): AssistantCalls {
  const view = async ({ id, name, username, photo, updatedAt, selected }: CachedUser): Promise<CachedUserView> => ({
    id,
    name,
    username,
    photo,
    selected,
    updatedAt: updatedAt.toISOString(),
    certificates: [...(await assistant.keysOf(username))],
  });
  return {
    'assistant.users': async () => Promise.all((await assistant.users()).map(view)),
    'assistant.add': async ({ username, code }) => view(await assistant.addUser(username, code, 'window')),
    'assistant.select': async ({ username }) => {
      await assistant.selectUser(username);
      return {};
    },
    'assistant.remove': async ({ id }) => {
      await assistant.removeUser(id);
      return {};
    },
    'assistant.link': async ({ username, fingerprint }) => {
      await assistant.linkCertificate(username, fingerprint);
      return {};
    },
    'assistant.unlink': async ({ username, fingerprint }) => {
      await assistant.unlinkCertificate(username, fingerprint);
      return {};
    },
  };
}
