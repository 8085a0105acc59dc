import { RotateCw } from '../components/icons/index.ts';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModuleView } from '../../../src/ui-contract/ui-contract.ts';
import { CardAction, RemoveAction } from '../components/actions.tsx';
import { Mark } from '../components/status.tsx';
import { useCore } from '../data/core-context.ts';
import { useFinish } from '../components/use-finish.ts';

interface ModuleControlsProps {
  readonly module: ModuleView;
  /** Called when the driver is about to be loaded again. */
  readonly onRetry?: () => void;
  /** Further actions. */
  readonly children?: ReactNode;
}

/** The actions of a driver: loading the driver again after a failure, and removal. */
export function ModuleControls({ module, onRetry, children }: ModuleControlsProps) {
  const { t } = useTranslation();
  const { retrying, retry, remove } = useModuleActions(module.id);
  const { product: name, state } = module;
  return (
    <>
      {state === 'failing' || state === 'quarantined' ? (
        <CardAction
          icon={RotateCw}
          name={t('certificates.modules.retryNamed', { name })}
          busy={retrying}
          onClick={() => {
            onRetry?.();
            void retry();
          }}
        >
          {t('certificates.modules.retry')}
        </CardAction>
      ) : null}
      {children}
      <RemoveAction
        name={name}
        title={t('certificates.modules.removeTitle')}
        text={t('certificates.modules.removeText')}
        onRemove={remove}
      />
    </>
  );
}

const marks = {
  ok: { tone: 'good', icon: 'good' },
  failing: { tone: 'warning', icon: 'warning' },
  quarantined: { tone: 'bad', icon: 'bad' },
  'not-added': { tone: 'neutral', icon: 'idle' },
} as const satisfies Record<ModuleView['state'], object>;

/** The state of a driver, in words. */
export function ModuleMark({ state }: Pick<ModuleView, 'state'>) {
  const { t } = useTranslation();
  return <Mark {...marks[state]}>{t(`certificates.modules.${state}`)}</Mark>;
}

function useModuleActions(id: string) {
  const { bridge } = useCore();
  const { t } = useTranslation();
  const finish = useFinish(
    ...(['modules.list', 'modules.suggest', 'certificates.list', 'tokens.list', 'home.read', 'doctor.read'] as const),
  );
  const [retrying, setRetrying] = useState(false);
  return {
    retrying,
    retry: async () => {
      setRetrying(true);
      finish(await bridge.call('modules.retry', { id }), t('certificates.modules.retried'));
      setRetrying(false);
    },
    remove: async () => finish(await bridge.call('modules.remove', { id }), t('certificates.modules.removed')),
  };
}
