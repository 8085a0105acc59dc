import { Button, Group, Loader, Stack, Text, TextInput, Title } from '@mantine/core';
import { useId, useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { technical, textField } from '../components/fields/fields.ts';
import type { CallError, ModuleTest } from '../../../src/ui-contract/ui-contract.ts';
import { visibleText } from '../../../src/text/visible-text.ts';
import { DialogActions } from '../components/dialogs/dialog-actions.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore, useQuery } from '../data/core-context.ts';
import { useErrorText } from '../i18n/error-text.ts';
import classes from './keys.module.css';

/**
 * Adds a PKCS#11 driver: a driver found here, or any driver by its path. The driver is tested first, and its answer is
 * shown.
 */
export function AddModuleDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [path, setPath] = useState('');
  const { trial, test, add, adding } = useTrial(onClose);
  const canAdd = trial?.kind === 'answered' && trial.answer.works;
  const hintId = useId();
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (path.trim() !== '') void test(path.trim());
  };
  return (
    <Dialog title={t('certificates.modules.dialogTitle')} onClose={onClose} size="lg">
      <Stack gap="lg">
        <Suggestions
          tried={trial?.path ?? null}
          onTest={(suggested) => void test(suggested)}
          busy={trial?.kind === 'testing'}
        />
        <form onSubmit={submit}>
          <Title order={3} size="sm" mb={6}>
            {t('certificates.modules.otherPath')}
          </Title>
          <Group align="flex-end" gap="sm">
            <TextInput
              className={classes.grow}
              label={t('certificates.modules.path')}
              placeholder={t('certificates.modules.pathHelp')}
              {...technical}
              {...textField(path, setPath)}
            />
            <Button type="submit" variant="default" disabled={path.trim() === '' || trial?.kind === 'testing'}>
              {t('certificates.modules.test')}
            </Button>
          </Group>
        </form>
        <div aria-live="polite">{trial === null ? null : <TrialResult trial={trial} />}</div>
        {canAdd ? null : (
          <Text size="sm" c="dimmed" id={hintId}>
            {t('certificates.modules.testFirst')}
          </Text>
        )}
        <DialogActions onCancel={onClose}>
          <Button
            loading={adding}
            disabled={!canAdd}
            onClick={() => void add()}
            {...(canAdd ? {} : { 'aria-describedby': hintId })}
          >
            {t('certificates.modules.add')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

interface SuggestionsProps {
  /** The path of the driver that was tested last. */
  readonly tried: string | null;
  readonly onTest: (path: string) => void;
  readonly busy: boolean;
}

function Suggestions({ tried, onTest, busy }: SuggestionsProps) {
  const { t } = useTranslation();
  const suggestions = useQuery('modules.suggest', {});
  return (
    <div>
      <Title order={3} size="sm" mb={6}>
        {t('certificates.modules.found')}
      </Title>
      {suggestions.value === null && suggestions.error === null ? (
        <Loader size="sm" aria-label={t('common.loading')} />
      ) : null}
      {suggestions.value?.length === 0 || suggestions.error !== null ? (
        <Text size="sm" c="dimmed">
          {t('certificates.modules.noneFound')}
        </Text>
      ) : null}
      <ul className={classes.suggestions}>
        {suggestions.value?.map((module) => (
          <li key={module.path} className={classes.row} {...(module.path === tried ? { 'aria-current': true } : {})}>
            <div className={classes.rowText}>
              <Text fw={550}>{module.product}</Text>
              <Text size="sm" c="dimmed" className={classes.wrap}>
                {module.path}
              </Text>
            </div>
            <Button
              size="xs"
              variant="default"
              disabled={busy}
              aria-label={t('certificates.modules.testNamed', { name: module.product })}
              onClick={() => onTest(module.path)}
            >
              {t('certificates.modules.test')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The test of the driver at a path. */
type Trial = { readonly path: string } & (
  | { readonly kind: 'testing' }
  | { readonly kind: 'answered'; readonly answer: ModuleTest }
  | { readonly kind: 'failed'; readonly error: CallError }
);

function TrialResult({ trial }: { readonly trial: Trial }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  switch (trial.kind) {
    case 'testing':
      return (
        <Group gap="sm">
          <Loader size="sm" />
          <Text>{t('certificates.modules.testing')}</Text>
        </Group>
      );
    case 'failed':
      return <Notice kind="error">{errorText(trial.error)}</Notice>;
    case 'answered':
      return <Answer answer={trial.answer} />;
  }
}

function Answer({ answer }: { readonly answer: ModuleTest }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (!answer.works) {
    return (
      <Notice kind="error" title={t('certificates.modules.fails')}>
        {errorText({ code: answer.problem ?? '' })}
      </Notice>
    );
  }
  return (
    <Notice kind="information" title={t('certificates.modules.works')}>
      <Text size="sm">{answer.library ?? answer.path}</Text>
      <Text size="sm">
        {t('certificates.modules.slots', { count: answer.slots })} ·{' '}
        {answer.tokens.length === 0
          ? t('certificates.modules.noTokens')
          : t('certificates.modules.tokens', { count: answer.tokens.length })}
      </Text>
      {answer.tokens.length === 0 ? null : (
        <ul className={classes.tokens}>
          {answer.tokens.map((token) => (
            <li key={`${token.serialNumber} ${token.label}`}>
              {visibleText([token.label, token.model, token.serialNumber].filter((text) => text !== '').join(' · '))}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

function useTrial(onClose: () => void) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [trial, setTrial] = useState<Trial | null>(null);
  const [adding, setAdding] = useState(false);
  const test = async (path: string): Promise<void> => {
    setTrial({ kind: 'testing', path });
    const result = await bridge.call('modules.test', { path });
    setTrial(
      result.ok ? { kind: 'answered', path, answer: result.value } : { kind: 'failed', path, error: result.error },
    );
  };
  const add = async (): Promise<void> => {
    if (trial?.kind !== 'answered') return;
    setAdding(true);
    const result = await bridge.call('modules.add', { path: trial.answer.path });
    setAdding(false);
    if (!result.ok) {
      setTrial({ kind: 'failed', path: trial.path, error: result.error });
      return;
    }
    queries.refresh('modules.list', 'modules.suggest', 'certificates.list', 'tokens.list', 'home.read', 'doctor.read');
    toasts.done(t('certificates.modules.added'));
    onClose();
  };
  return { trial, test, add, adding };
}
