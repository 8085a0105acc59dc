import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import { FlaskConical, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput, CallResult } from '../../../src/ui-contract/ui-contract.ts';
import { Confirm } from '../components/confirm.tsx';
import { Notice } from '../components/notice.tsx';
import { Empty, Rows, RowsPlaceholder, Section } from '../components/page.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore, useQuery } from '../data/core-context.ts';
import { useErrorText } from '../i18n/error-text.ts';
import { StoreDialog } from './store-dialog.tsx';
import type { StoreView } from './store-form.ts';
import classes from './settings.module.css';

/** The object stores that documents come from and go to. */
export function StoresCard() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { value: stores, error } = useQuery('stores.list', {});
  const [editing, setEditing] = useState<StoreView | 'new' | null>(null);
  const add = (
    <Button size="xs" variant="default" leftSection={<Plus size={16} aria-hidden />} onClick={() => setEditing('new')}>
      {t('operation.stores.add')}
    </Button>
  );
  return (
    <Section title={t('operation.stores.title')} side={add} flush>
      <Text size="sm" c="dimmed" className={classes.intro}>
        {t('operation.stores.text')}
      </Text>
      {stores === null && error === null ? <RowsPlaceholder /> : null}
      {stores === null && error !== null ? <Empty>{errorText(error)}</Empty> : null}
      {stores?.length === 0 ? (
        <Empty>
          <Text fw={600} c="var(--mantine-color-text)">
            {t('operation.stores.none')}
          </Text>
          <Text size="sm" mt={4}>
            {t('operation.stores.noneText')}
          </Text>
        </Empty>
      ) : null}
      {stores === null || stores.length === 0 ? null : (
        <Rows label={t('operation.stores.title')}>
          {stores.map((store) => (
            <StoreRow key={store.id} store={store} onEdit={() => setEditing(store)} />
          ))}
        </Rows>
      )}
      {editing === null ? null : (
        <StoreDialog
          store={editing === 'new' ? null : editing}
          taken={(stores ?? []).map(({ id }) => id)}
          onClose={() => setEditing(null)}
        />
      )}
    </Section>
  );
}

function StoreRow({ store, onEdit }: { readonly store: StoreView; readonly onEdit: () => void }) {
  const { t } = useTranslation();
  const [removing, setRemoving] = useState(false);
  const { testing, outcome, test, remove } = useStoreActions(store.id);
  const { id: name, kind, endpoint, region, bucket, prefix, overwrite } = store;
  const server =
    endpoint ?? (kind === 's3' ? t('operation.stores.amazon', { region: region ?? '' }) : t('operation.stores.google'));
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {`${kind === 's3' ? 's3' : 'gs'}://${bucket}/${prefix}`}
        </Text>
        <Text size="sm" c="dimmed">
          {[server, ...(overwrite ? [t('operation.stores.replaces')] : [])].join(' · ')}
        </Text>
      </div>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          loading={testing}
          leftSection={<FlaskConical size={16} aria-hidden />}
          aria-label={t('operation.stores.testNamed', { name })}
          onClick={() => void test()}
        >
          {t('operation.stores.test')}
        </Button>
        <Tooltip label={t('operation.stores.edit')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('operation.stores.editNamed', { name })}
            onClick={onEdit}
          >
            <Pencil size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
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
        {outcome === null ? null : <Outcome outcome={outcome} />}
      </div>
      {removing ? (
        <Confirm
          title={t('operation.stores.removeTitle')}
          text={t('operation.stores.removeText')}
          action={t('common.remove')}
          onClose={() => setRemoving(false)}
          onConfirm={remove}
        />
      ) : null}
    </li>
  );
}

function Outcome({ outcome }: { readonly outcome: CallResult<CallOutput<'stores.test'>> }) {
  const { t } = useTranslation();
  if (outcome.ok) {
    return (
      <Notice kind="information" title={t('operation.stores.works')}>
        {t('operation.stores.worksText', { milliseconds: Math.round(outcome.value.milliseconds) })}
      </Notice>
    );
  }
  // What the store said is more than the code of it.
  return (
    <Notice kind="error" title={t('operation.stores.fails')}>
      <span lang="en">{outcome.error.message}</span>
    </Notice>
  );
}

function useStoreActions(id: string) {
  const { bridge, queries } = useCore();
  const { t } = useTranslation();
  const toasts = useToasts();
  const [testing, setTesting] = useState(false);
  const [outcome, setOutcome] = useState<CallResult<CallOutput<'stores.test'>> | null>(null);
  return {
    testing,
    outcome,
    test: async () => {
      setTesting(true);
      setOutcome(await bridge.call('stores.test', { id }));
      setTesting(false);
    },
    remove: async () => {
      const result = await bridge.call('stores.remove', { id });
      queries.refresh('stores.list', 'doctor.read');
      if (result.ok) toasts.done(t('operation.stores.removed'));
      else toasts.failed(result.error);
    },
  };
}
