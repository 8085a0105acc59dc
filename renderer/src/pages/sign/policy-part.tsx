import { Anchor, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { choiceField, textField } from '../../components/fields/fields.ts';
import { signaturePolicies } from '../../../../src/request/signature-policies.ts';
import { Notice } from '../../components/notice.tsx';
import { StaleTrustNotice } from '../../components/signing-notes.tsx';
import { useQuery } from '../../data/core-context.ts';
import { hrefOf } from '../../route.ts';
import { needsTimestamp, type OptionPartProps } from './signing-options.ts';

/** The level of the signature, and the time-stamp server. */
export function PolicyPart({ options, onChange }: OptionPartProps) {
  const { t } = useTranslation();
  return (
    <Stack>
      <SimpleGrid type="container" cols={needsTimestamp(options.policy) ? { base: 1, '36rem': 2 } : 1}>
        <NativeSelect
          label={t('signOptions.policy')}
          description={t(`signOptions.policyAbout.${options.policy}`)}
          inputWrapperOrder={['label', 'input', 'description']}
          {...choiceField(
            signaturePolicies,
            options.policy,
            (policy) => t(`signOptions.policies.${policy}`),
            (policy) => onChange({ policy }),
          )}
        />
        {needsTimestamp(options.policy) ? <ServerChoice options={options} onChange={onChange} /> : null}
      </SimpleGrid>
      {options.policy === 'AD-RA' ? (
        <StaleTrustNotice>
          <Anchor href={hrefOf('settings')}>{t('signOptions.staleTrustUpdate')}</Anchor>
        </StaleTrustNotice>
      ) : null}
    </Stack>
  );
}

function ServerChoice({ options, onChange }: OptionPartProps) {
  const { t } = useTranslation();
  const servers = useQuery('tsa.list', {});
  if (servers.value?.length === 0) {
    return (
      <Notice kind="warning">
        {t('signOptions.serverNone')} <Anchor href={hrefOf('settings')}>{t('signOptions.serverAdd')}</Anchor>
      </Notice>
    );
  }
  return (
    <NativeSelect
      label={t('signOptions.server')}
      {...textField(options.timestampServer, (timestampServer) => onChange({ timestampServer }))}
      data={[
        { value: '', label: t('signOptions.serverFirst') },
        ...(servers.value ?? []).map(({ id, isTest }) => ({
          value: id,
          label: isTest ? t('signOptions.serverTest', { name: id }) : id,
        })),
      ]}
    />
  );
}
