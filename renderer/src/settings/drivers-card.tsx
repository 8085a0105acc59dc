import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import { FlaskConical, Plus, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallError, CallResult, ModuleTest, ModuleView } from '../../../src/ui-contract/ui-contract.ts';
import { AddModuleDialog } from '../certificates/add-module-dialog.tsx';
import { ModuleMark } from '../certificates/modules-card.tsx';
import { Confirm } from '../components/confirm.tsx';
import { Notice } from '../components/notice.tsx';
import { Empty, Rows, RowsPlaceholder, Section } from '../components/page.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore, useQuery } from '../data/core-context.ts';
import { useErrorText } from '../i18n/error-text.ts';
import classes from './settings.module.css';

/** The drivers through which tokens are reached: found, added, tried live, released, removed. */
export function DriversCard() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [adding, setAdding] = useState(false);
  const { value: modules, error } = useQuery('modules.list', {});
  const suggestions = useQuery('modules.suggest', {}).value ?? [];
  return (
    <Section
      title={t('settings.drivers.title')}
      side={
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={16} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          {t('settings.drivers.add')}
        </Button>
      }
      flush
    >
      <Text size="sm" c="dimmed" className={classes.intro}>
        {t('settings.drivers.text')}
      </Text>
      {suggestions.length === 0 ? null : (
        <div className={classes.notices}>
          <Notice kind="information">{t('settings.drivers.foundHere', { count: suggestions.length })}</Notice>
        </div>
      )}
      {modules === null && error === null ? <RowsPlaceholder /> : null}
      {modules === null && error !== null ? <Empty>{errorText(error)}</Empty> : null}
      {modules?.length === 0 ? (
        <Empty>
          <Text fw={600} c="var(--mantine-color-text)">
            {t('settings.drivers.none')}
          </Text>
          <Text size="sm" mt={4}>
            {t('settings.drivers.noneText')}
          </Text>
        </Empty>
      ) : null}
      {modules === null || modules.length === 0 ? null : (
        <Rows label={t('settings.drivers.title')}>
          {modules.map((module) => (
            <DriverRow key={module.id} module={module} />
          ))}
        </Rows>
      )}
      {adding ? <AddModuleDialog onClose={() => setAdding(false)} /> : null}
    </Section>
  );
}

function DriverRow({ module }: { readonly module: ModuleView }) {
  const { t } = useTranslation();
  const [removing, setRemoving] = useState(false);
  const actions = useDriverActions(module);
  const isStopped = module.state === 'failing' || module.state === 'quarantined';
  const name = module.product;
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {module.path}
        </Text>
        {module.detail === null ? null : <Text size="sm">{module.detail}</Text>}
      </div>
      <Group gap="xs">
        <ModuleMark state={module.state} />
        {isStopped ? (
          <Button
            size="xs"
            variant="default"
            loading={actions.busy === 'retry'}
            leftSection={<RotateCw size={16} aria-hidden />}
            aria-label={t('certificates.modules.retryNamed', { name })}
            onClick={() => void actions.retry()}
          >
            {t('certificates.modules.retry')}
          </Button>
        ) : null}
        <Button
          size="xs"
          variant="default"
          loading={actions.busy === 'test'}
          leftSection={<FlaskConical size={16} aria-hidden />}
          aria-label={t('settings.drivers.testNamed', { name })}
          onClick={() => void actions.test()}
        >
          {t('settings.drivers.test')}
        </Button>
        <Tooltip label={t('common.remove')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('common.removeNamed', { name })}
            onClick={() => setRemoving(true)}
          >
            <Trash2 size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      <div className={classes.result} aria-live="polite">
        {actions.outcome === null ? null : <Outcome outcome={actions.outcome} />}
      </div>
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

function Outcome({ outcome }: { readonly outcome: CallResult<ModuleTest> }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const failure: CallError | null = outcome.ok ? null : outcome.error;
  if (!outcome.ok || !outcome.value.works) {
    return (
      <Notice kind="error" title={t('certificates.modules.fails')}>
        {failure === null ? (outcome.ok ? outcome.value.detail : '') : errorText(failure)}
      </Notice>
    );
  }
  const { library, path, tokens } = outcome.value;
  return (
    <Notice kind="information" title={t('certificates.modules.works')}>
      <Text size="sm">
        {library ?? path} ·{' '}
        {tokens.length === 0
          ? t('certificates.modules.noTokens')
          : t('certificates.modules.tokens', { count: tokens.length })}
      </Text>
      {tokens.map((token) => (
        <Text size="sm" key={`${token.serialNumber} ${token.label}`}>
          {[token.label, token.serialNumber].filter((part) => part !== '').join(' · ')}
        </Text>
      ))}
    </Notice>
  );
}

function useDriverActions({ id, path }: ModuleView) {
  const { bridge, queries } = useCore();
  const { t } = useTranslation();
  const toasts = useToasts();
  const [busy, setBusy] = useState<'test' | 'retry' | null>(null);
  const [outcome, setOutcome] = useState<CallResult<ModuleTest> | null>(null);
  const finish = (result: CallResult<unknown>, text: string): void => {
    queries.refresh('modules.list', 'modules.suggest', 'certificates.list', 'tokens.list', 'home.read', 'health.read');
    if (result.ok) toasts.done(text);
    else toasts.failed(result.error);
  };
  return {
    busy,
    outcome,
    test: async () => {
      setBusy('test');
      setOutcome(await bridge.call('modules.test', { path }));
      setBusy(null);
    },
    retry: async () => {
      setBusy('retry');
      setOutcome(null);
      finish(await bridge.call('modules.retry', { id }), t('certificates.modules.retried'));
      setBusy(null);
    },
    remove: async () => finish(await bridge.call('modules.remove', { id }), t('certificates.modules.removed')),
  };
}
