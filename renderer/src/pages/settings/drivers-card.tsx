import { Group, Text } from '@mantine/core';
import { FlaskConical, Plus } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallResult, ModuleTest, ModuleView } from '../../../../src/ui-contract/ui-contract.ts';
import { visibleText } from '../../../../src/text/visible-text.ts';
import { AddModuleDialog } from '../../keys/add-module-dialog.tsx';
import { ModuleControls, ModuleMark } from '../../keys/module-controls.tsx';
import { RowHead } from '../../components/list/row-head.tsx';
import { CardAction } from '../../components/actions.tsx';
import { Intro } from '../../components/intro.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Nothing, QueryRows } from '../../components/query-rows.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import { useAttempt } from '../../data/use-attempt.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import classes from './settings.module.css';

/** The drivers of tokens: search, addition, live test, release, removal. */
export function DriversCard() {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  const modules = useQuery('modules.list', {});
  const suggestions = useQuery('modules.suggest', {}).value ?? [];
  return (
    <Section
      title={t('settings.drivers.title')}
      side={
        <CardAction icon={Plus} onClick={() => setAdding(true)}>
          {t('settings.drivers.add')}
        </CardAction>
      }
      flush
    >
      <Intro>{t('settings.drivers.text')}</Intro>
      {suggestions.length === 0 ? null : (
        <div className={classes.notices}>
          <Notice kind="information">{t('settings.drivers.foundHere', { count: suggestions.length })}</Notice>
        </div>
      )}
      <QueryRows
        label={t('settings.drivers.title')}
        query={modules}
        none={<Nothing title={t('settings.drivers.none')} text={t('settings.drivers.noneText')} />}
      >
        {(module) => <DriverRow key={module.id} module={module} />}
      </QueryRows>
      {adding ? <AddModuleDialog onClose={() => setAdding(false)} /> : null}
    </Section>
  );
}

function DriverRow({ module }: { readonly module: ModuleView }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { bridge } = useCore();
  const { product: name, path } = module;
  const test = useAttempt(() => bridge.call('modules.test', { path }));
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <RowHead name={name}>
          <ModuleMark state={module.state} />
        </RowHead>
        <Text size="sm" c="dimmed">
          {path}
        </Text>
        {module.problem === null ? null : <Text size="sm">{errorText({ code: module.problem })}</Text>}
      </div>
      <Group gap="xs">
        <ModuleControls module={module} onRetry={test.forget}>
          <CardAction
            icon={FlaskConical}
            name={t('settings.drivers.testNamed', { name })}
            busy={test.busy}
            onClick={() => void test.attempt()}
          >
            {t('settings.drivers.test')}
          </CardAction>
        </ModuleControls>
      </Group>
      <div className={classes.result} aria-live="polite">
        {test.outcome === null ? null : <Outcome outcome={test.outcome} />}
      </div>
    </li>
  );
}

function Outcome({ outcome }: { readonly outcome: CallResult<ModuleTest> }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (!outcome.ok || !outcome.value.works) {
    return (
      <Notice kind="error" title={t('certificates.modules.fails')}>
        {errorText(outcome.ok ? { code: outcome.value.problem ?? '' } : outcome.error)}
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
          {visibleText([token.label, token.serialNumber].filter((part) => part !== '').join(' · '))}
        </Text>
      ))}
    </Notice>
  );
}
