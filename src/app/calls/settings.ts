import { isDeepStrictEqual } from 'node:util';
import { createHttpClient } from '../../network/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import type { SettingsView } from '../../ui-contract/settings-calls.ts';
import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import { changeChosenSettings, readChosenSettings } from '../config/chosen-settings.ts';
import type { Core } from '../compose/open-core.ts';

type SettingsCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `settings.${string}`>>;
type SettingsCore = Pick<Core, 'dataFolder' | 'configuration'>;

/** The calls about an operator's settings. */
export function settingsCalls(core: SettingsCore): SettingsCalls {
  return {
    'settings.read': async () => settingsForUi(core),
    'settings.changeNetwork': async ({ proxy, noProxy, allow }) => {
      await refuseWrong({ proxy, noProxy, allow });
      await changeChosenSettings(core.dataFolder, core.configuration.fixedKeys, {
        'network.proxy': proxy ?? undefined,
        'network.no_proxy': noProxy,
        'network.allow': allow,
      });
      return settingsForUi(core);
    },
  };
}

/** The settings in use and those of the next start, with the keys that the configuration fixes. */
async function settingsForUi({ dataFolder, configuration }: SettingsCore): Promise<SettingsView> {
  const { network, limits, signing, fixedKeys } = configuration;
  const chosen = await readChosenSettings(dataFolder);
  const used = inUse(network);
  const wanted: NetworkSettings = inUse(network);
  for (const key of chosenKeys) {
    if (!fixedKeys.includes(key)) Object.assign(wanted, { [key]: chosen[key] ?? unset[key] });
  }
  const proxy = URL.parse(wanted['network.proxy']);
  return {
    network: {
      proxy: proxy === null ? null : `${proxy.protocol}//${proxy.host}`,
      proxyHasCredentials: proxy !== null && proxy.username !== '',
      noProxy: [...wanted['network.no_proxy']],
      allow: [...wanted['network.allow']],
    },
    fixed: [...fixedKeys],
    restartNeeded: !isDeepStrictEqual(used, wanted),
    limits: {
      documentSize: limits.documentSize,
      documents: limits.documents,
      lifetime: signing.lifetime,
      uploadTimeout: signing.uploadTimeout,
    },
  };
}

/** All network settings; an empty text or list means none. */
interface NetworkSettings {
  'network.proxy': string;
  'network.no_proxy': string[];
  'network.allow': string[];
}

const unset: NetworkSettings = { 'network.proxy': '', 'network.no_proxy': [], 'network.allow': [] };
const chosenKeys = ['network.proxy', 'network.no_proxy', 'network.allow'] as const;

function inUse({ proxy, noProxy, allow }: SettingsCore['configuration']['network']): NetworkSettings {
  return { 'network.proxy': proxy ?? '', 'network.no_proxy': [...noProxy], 'network.allow': [...allow] };
}

/** Refuses settings that would make the next start fail. */
async function refuseWrong(wanted: {
  readonly proxy: string | null;
  readonly noProxy: readonly string[];
  readonly allow: readonly string[];
}): Promise<void> {
  const { proxy, noProxy, allow } = wanted;
  const url = proxy === null ? undefined : URL.parse(proxy);
  const refuse = (detail: string, cause?: unknown): never => {
    throw new ServiceError('REQUEST_INVALID', detail, { cause });
  };
  if (url === null || (url !== undefined && !/^https?:$/.test(url.protocol))) {
    refuse('The address of a proxy begins with http:// or https://.');
  }
  if (url != null && (url.username !== '' || url.password !== '')) {
    refuse('A proxy with user and password is named in the configuration (network.proxy), which is not shown here.');
  }
  try {
    await createHttpClient({ allow, noProxy, ...(url == null ? {} : { proxy: url }) }).close();
  } catch (error) {
    refuse(error instanceof Error ? error.message : 'A host is not written well.', error);
  }
}
