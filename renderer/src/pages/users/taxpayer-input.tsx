import { TextInput, type TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { helpBelow, technical } from '../../components/fields/fields.ts';
import { formatTaxpayer } from '../../format/taxpayer.ts';

interface TaxpayerInputProps extends TextInputProps {
  /** Gets the typed text, with points and dashes in their places. */
  readonly onType: (text: string) => void;
}

/** A field for the CPF or CNPJ of a person or company. */
export function TaxpayerInput({ onType, ...props }: TaxpayerInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      required
      label={t('users.fields.username')}
      description={t('users.fields.usernameHelp')}
      inputWrapperOrder={helpBelow}
      {...technical}
      maxLength={24}
      {...props}
      onChange={(event) => onType(formatTaxpayer(event.currentTarget.value))}
    />
  );
}
