import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SecretInput } from '../../components/dialogs/secret-input.tsx';
import { FieldPair } from './field-pair.tsx';
import { certifications, type OptionPartProps } from './signing-options.ts';

/** Options of PDF files only: rules for later changes, and a password. */
export function PdfPart({ options, onChange }: OptionPartProps) {
  const { t } = useTranslation();
  return (
    <FieldPair>
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
    </FieldPair>
  );
}
