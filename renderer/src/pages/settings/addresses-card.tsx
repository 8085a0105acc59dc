import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Home } from '../../../../src/ui-contract/ui-contract.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Field, Fields, RowsPlaceholder, Section } from '../../components/page.tsx';
import { useQuery } from '../../data/core-context.ts';
import classes from './settings.module.css';

const names = ['signing', 'authorization', 'registry', 'assistant'] as const;

/** The addresses of the interface, for programs; only one if all services share it. */
export function AddressesCard() {
  const { t } = useTranslation();
  const addresses = useQuery('home.read', {}).value?.addresses;
  return (
    <Section title={t('operation.addresses.title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('operation.addresses.text')}
      </Text>
      {addresses === undefined ? <RowsPlaceholder /> : <Addresses addresses={addresses} />}
    </Section>
  );
}

function Addresses({ addresses }: Pick<Home, 'addresses'>) {
  const { t } = useTranslation();
  const isSame = names.every((name) => addresses[name] === addresses.signing);
  const shown = isSame ? (['signing'] as const) : names;
  return (
    <Fields>
      {shown.map((name) => {
        const title = isSame ? t('operation.addresses.all') : t(`operation.addresses.${name}`);
        return (
          <Field key={name} name={title}>
            <span className={classes.address}>
              <code>{addresses[name]}</code>
              <CopyButton text={addresses[name]} name={title} />
            </span>
          </Field>
        );
      })}
    </Fields>
  );
}
