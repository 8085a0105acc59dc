import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import { RotateCw, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallResult, ModuleView } from '../../../src/ui-contract/ui-contract.ts';
import { Confirm } from '../components/confirm.tsx';
import { Empty, Rows, RowsPlaceholder, Section } from '../components/page.tsx';
import { Mark } from '../components/status.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore, useQuery } from '../data/core-context.ts';
import { useErrorText } from '../i18n/error-text.ts';
import classes from './certificates.module.css';

/** The PKCS#11 drivers that were added, and how each is doing. */
export function ModulesCard({ add }: { readonly add: ReactNode }) {
  const { t } = useTranslation();
  const modules = useQuery('modules.list', {});
  const errorText = useErrorText();
  return (
    <Section title={t('certificates.modules.title')} side={add} flush>
      <Text size="sm" c="dimmed" className={classes.intro}>
        {t('certificates.modules.text')}
      </Text>
      {modules.value === null && modules.error === null ? <RowsPlaceholder /> : null}
      {modules.value === null && modules.error !== null ? <Empty>{errorText(modules.error)}</Empty> : null}
      {modules.value?.length === 0 ? <Empty>{t('certificates.modules.none')}</Empty> : null}
      {modules.value === null || modules.value.length === 0 ? null : (
        <Rows>
          {modules.value.map((module) => (
            <ModuleRow key={module.id} module={module} />
          ))}
        </Rows>
      )}
    </Section>
  );
}

function ModuleRow({ module }: { readonly module: ModuleView }) {
  const { t } = useTranslation();
  const [removing, setRemoving] = useState(false);
  const actions = useModuleActions(module.id);
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <Text fw={600} className={classes.wrap}>
          {module.product}
        </Text>
        <Text size="sm" c="dimmed" className={classes.wrap}>
          {module.path}
        </Text>
        {module.detail === null ? null : (
          <Text size="sm" mt={4} className={classes.wrap}>
            {module.detail}
          </Text>
        )}
      </div>
      <Group gap="xs" className={classes.rowActions}>
        <ModuleMark state={module.state} />
        {module.state === 'failing' || module.state === 'quarantined' ? (
          <Button
            size="xs"
            variant="default"
            loading={actions.retrying}
            leftSection={<RotateCw size={16} aria-hidden />}
            aria-label={t('certificates.modules.retryNamed', { name: module.product })}
            onClick={() => void actions.retry()}
          >
            {t('certificates.modules.retry')}
          </Button>
        ) : null}
        <Tooltip label={t('common.remove')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('certificates.modules.removeNamed', { name: module.product })}
            onClick={() => setRemoving(true)}
          >
            <Trash2 size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      {removing ? (
        <Confirm
          title={t('certificates.modules.removeTitle')}
          text={t('certificates.modules.removeText')}
          action={t('common.remove')}
          onClose={() => setRemoving(false)}
          onConfirm={actions.remove}
        />
      ) : null}
    </li>
  );
}

/** How a driver is doing. */
export function ModuleMark({ state }: Pick<ModuleView, 'state'>) {
  const { t } = useTranslation();
  const text = t(`certificates.modules.${state}`);
  switch (state) {
    case 'ok':
      return (
        <Mark tone="good" icon="good">
          {text}
        </Mark>
      );
    case 'failing':
      return (
        <Mark tone="warning" icon="warning">
          {text}
        </Mark>
      );
    case 'quarantined':
      return (
        <Mark tone="bad" icon="bad">
          {text}
        </Mark>
      );
    case 'not-added':
      return (
        <Mark tone="neutral" icon="idle">
          {text}
        </Mark>
      );
  }
}

function useModuleActions(id: string) {
  const { bridge, queries } = useCore();
  const { t } = useTranslation();
  const toasts = useToasts();
  const [retrying, setRetrying] = useState(false);
  const finish = (result: CallResult<unknown>, text: string): void => {
    queries.refresh('modules.list', 'modules.suggest', 'certificates.list', 'tokens.list', 'home.read', 'health.read');
    if (result.ok) toasts.done(text);
    else toasts.failed(result.error);
  };
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
