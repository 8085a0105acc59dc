import { Checkbox, NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { checkField, choiceField, optional, textField } from '../../components/fields/fields.ts';
import { SecretInput } from '../../components/dialogs/secret-input.tsx';
import { FieldPair } from './field-pair.tsx';
import { certifications, type OptionPartProps } from './signing-options.ts';

/** Options of PDF files only: rules for later changes, a password, and the repair of damage. */
export function PdfPart({ options, onChange }: OptionPartProps) {
  const { t } = useTranslation();
  return (
    <>
      <FieldPair>
        <NativeSelect
          label={t('signOptions.certify')}
          description={t('signOptions.forPdf')}
          {...choiceField(
            certifications,
            options.certify,
            (one) => t(`signOptions.certifications.${one}`),
            (certify) => onChange({ certify }),
          )}
        />
        <SecretInput
          label={optional(t, t('signOptions.password'))}
          description={t('signOptions.passwordHelp')}
          {...textField(options.password, (password) => onChange({ password }))}
        />
      </FieldPair>
      <Checkbox
        label={t('signOptions.repair')}
        description={t('signOptions.repairHelp')}
        {...checkField(options.repair, (repair) => onChange({ repair }))}
      />
    </>
  );
}
