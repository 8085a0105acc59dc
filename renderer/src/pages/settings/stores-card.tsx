import { Group, Text } from '@mantine/core';
import { FlaskConical, Pencil, Plus } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput, CallResult } from '../../../../src/ui-contract/ui-contract.ts';
import { CardAction, IconAction, RemoveAction } from '../../components/actions.tsx';
import { Intro } from '../../components/intro.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Nothing, QueryRows } from '../../components/query-rows.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import { useAttempt } from '../../data/use-attempt.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { useFinish } from '../../components/use-finish.ts';
import { StoreDialog } from './store-dialog.tsx';
import type { StoreView } from './store-form.ts';
import classes from './settings.module.css';

/** The object stores for documents and results. */
export function StoresCard() {
  const { t } = useTranslation();
  const stores = useQuery('stores.list', {});
  const [editing, setEditing] = useState<StoreView | 'new' | null>(null);
  const add = (
    <CardAction icon={Plus} onClick={() => setEditing('new')}>
      {t('operation.stores.add')}
    </CardAction>
  );
  return (
    <Section title={t('operation.stores.title')} side={add} flush>
      <Intro>{t('operation.stores.text')}</Intro>
      <QueryRows
        label={t('operation.stores.title')}
        query={stores}
        none={<Nothing title={t('operation.stores.none')} text={t('operation.stores.noneText')} />}
      >
        {(store) => <StoreRow key={store.id} store={store} onEdit={() => setEditing(store)} />}
      </QueryRows>
      {editing === null ? null : (
        <StoreDialog
          store={editing === 'new' ? null : editing}
          taken={(stores.value ?? []).map(({ id }) => id)}
          onClose={() => setEditing(null)}
        />
      )}
    </Section>
  );
}

function StoreRow({ store, onEdit }: { readonly store: StoreView; readonly onEdit: () => void }) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const finish = useFinish('stores.list', 'doctor.read');
  const test = useAttempt(() => bridge.call('stores.test', { id: store.id }));
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
        <CardAction
          icon={FlaskConical}
          name={t('operation.stores.testNamed', { name })}
          busy={test.busy}
          onClick={() => void test.attempt()}
        >
          {t('operation.stores.test')}
        </CardAction>
        <IconAction
          icon={Pencil}
          hint={t('operation.stores.edit')}
          name={t('operation.stores.editNamed', { name })}
          onClick={onEdit}
        />
        <RemoveAction
          name={name}
          title={t('operation.stores.removeTitle')}
          text={t('operation.stores.removeText')}
          onRemove={async () => finish(await bridge.call('stores.remove', { id: name }), t('operation.stores.removed'))}
        />
      </Group>
      <div className={classes.result} aria-live="polite">
        {test.outcome === null ? null : <Outcome outcome={test.outcome} />}
      </div>
    </li>
  );
}

function Outcome({ outcome }: { readonly outcome: CallResult<CallOutput<'stores.test'>> }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (outcome.ok) {
    return (
      <Notice kind="information" title={t('operation.stores.works')}>
        {t('operation.stores.worksText', { milliseconds: Math.round(outcome.value.milliseconds) })}
      </Notice>
    );
  }
  return (
    <Notice kind="error" title={t('operation.stores.fails')}>
      {errorText(outcome.error)}
    </Notice>
  );
}
