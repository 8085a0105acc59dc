import { Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { optional, technical, textField } from '../../components/fields/fields.ts';
import type { SettingsView } from '../../../../src/ui-contract/settings-calls.ts';
import { Notice } from '../../components/notice.tsx';
import { RowsPlaceholder, Section } from '../../components/page.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import { useSubmit } from '../../data/use-submit.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { CardFormEnd } from './card-form-end.tsx';
import classes from './settings.module.css';

/** The proxy, and the permitted private addresses. */
export function NetworkCard() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { value, error } = useQuery('settings.read', {});
  return (
    <Section title={t('operation.way.title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('operation.way.text')}
      </Text>
      {value === null && error === null ? <RowsPlaceholder /> : null}
      {value === null && error !== null ? <Notice kind="error">{errorText(error)}</Notice> : null}
      {value === null ? null : <NetworkForm settings={value} />}
    </Section>
  );
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

function isProxy(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

function NetworkForm({ settings }: { readonly settings: SettingsView }) {
  const { t } = useTranslation();
  const { network, fixed, restartNeeded } = settings;
  const [proxy, setProxy] = useState(network.proxy ?? '');
  const [noProxy, setNoProxy] = useState(network.noProxy.join('\n'));
  const [allow, setAllow] = useState(network.allow.join('\n'));
  const { busy, error, tried, save } = useSave();
  const isFixed = (key: string): boolean => fixed.includes(key);
  const wrongProxy = proxy.trim() !== '' && !isProxy(proxy.trim()) && !isFixed('network.proxy');
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const wanted = {
      proxy: proxy.trim() === '' ? null : proxy.trim(),
      noProxy: linesOf(noProxy),
      allow: linesOf(allow),
    };
    void save(wanted, wrongProxy);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {restartNeeded ? <Notice kind="information">{t('operation.way.restart')}</Notice> : null}
        <TextInput
          label={optional(t, t('operation.way.proxy'))}
          description={
            network.proxyHasCredentials
              ? t('operation.way.credentials')
              : t(isFixed('network.proxy') ? 'operation.way.fixed' : 'operation.way.proxyHelp')
          }
          disabled={isFixed('network.proxy')}
          inputMode="url"
          {...technical}
          maxLength={500}
          {...textField(proxy, setProxy, tried && wrongProxy ? t('operation.way.proxyError') : null)}
        />
        <div className={classes.choices}>
          <AddressList name="noProxy" isFixed={isFixed('network.no_proxy')} value={noProxy} onChange={setNoProxy} />
          <AddressList name="allow" isFixed={isFixed('network.allow')} value={allow} onChange={setAllow} />
        </div>
        <CardFormEnd error={error} busy={busy} submit={t('operation.way.save')} />
      </Stack>
    </form>
  );
}

interface AddressListProps {
  readonly name: 'noProxy' | 'allow';
  readonly isFixed: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Addresses, one per line. */
function AddressList({ name, isFixed, value, onChange }: AddressListProps) {
  const { t } = useTranslation();
  return (
    <Textarea
      label={optional(t, t(`operation.way.${name}`))}
      description={t(isFixed ? 'operation.way.fixed' : `operation.way.${name}Help`)}
      disabled={isFixed}
      rows={3}
      spellCheck={false}
      {...textField(value, onChange)}
    />
  );
}

function useSave() {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [tried, setTried] = useState(false);
  const { busy, error, submit } = useSubmit();
  const save = async (
    wanted: { readonly proxy: string | null; readonly noProxy: string[]; readonly allow: string[] },
    isWrong: boolean,
  ): Promise<void> => {
    setTried(true);
    if (isWrong) return;
    const wordsFor = ({ code }: { readonly code: string }): string | null =>
      code === 'REQUEST_INVALID' || code === 'INPUT_INVALID' ? t('operation.way.wrong') : null;
    if ((await submit(bridge.call('settings.changeNetwork', wanted), wordsFor)) === null) return;
    queries.refresh('settings.read');
    toasts.done(t('operation.way.saved'));
  };
  return { busy, error, tried, save };
}
