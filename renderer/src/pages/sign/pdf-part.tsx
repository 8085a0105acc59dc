import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SecretInput } from '../../components/dialogs/secret-input.tsx';
import classes from './sign.module.css';
import { certifications, type OptionPartProps } from './signing-options.ts';

/** Options of PDF files only: rules for later changes, and a password. */
export function PdfPart({ options, onChange }: OptionPartProps) {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} className={classes.pairs}>
      <NativeSelect
        label={t('signOptions.certify')}
        description={t('signOptions.forPdf')}
        value={options.certify}
        data={certifications.map((one) => ({ value: one, label: t(`signOptions.certifications.${one}`) }))}
        onChange={(event) => {
          const chosen = certifications.find((one) => one === event.currentTarget.value);
          if (chosen !== undefined) onChange({ certify: chosen });
        }}
      />
      <SecretInput
        label={`${t('signOptions.password')} (${t('common.optional')})`}
        description={t('signOptions.passwordHelp')}
        value={options.password}
        onChange={(event) => onChange({ password: event.currentTarget.value })}
      />
    </SimpleGrid>
  );
}
