import { Fieldset, Group, Text, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { textField } from '../../components/fields/fields.ts';
import type { ApplicationView } from '../../../../src/ui-contract/identity-calls.ts';

type Limits = ApplicationView['limits'];

/** Limits as they are typed; empty: no limit. The size is in megabytes. */
export type LimitTexts = Readonly<Record<keyof Limits, string>>;

const megabyte = 1_000_000;
const names: readonly (keyof Limits)[] = ['documentsPerDay', 'documentSize', 'hours'];
const time = String.raw`([01]\d|2[0-3]):[0-5]\d`;
const hoursShape = new RegExp(`^${time}-${time}$`);

export function limitTexts({ documentsPerDay, documentSize, hours }: Limits): LimitTexts {
  return {
    documentsPerDay: documentsPerDay === undefined ? '' : String(documentsPerDay),
    documentSize: documentSize === undefined ? '' : String(documentSize / megabyte),
    hours: hours ?? '',
  };
}

export function limitsFrom({ documentsPerDay, documentSize, hours }: LimitTexts): Limits {
  return {
    ...(documentsPerDay.trim() === '' ? {} : { documentsPerDay: Number(documentsPerDay) }),
    ...(documentSize.trim() === '' ? {} : { documentSize: Math.round(Number(documentSize) * megabyte) }),
    ...(hours.trim() === '' ? {} : { hours: hours.trim() }),
  };
}

/** The limits that are typed wrongly. */
export function wrongLimits(texts: LimitTexts): readonly (keyof Limits)[] {
  return names.filter((name) => {
    const text = texts[name].trim();
    if (text === '') return false;
    if (name === 'documentsPerDay') return !/^[1-9]\d*$/.test(text);
    if (name === 'documentSize') return !/^\d{1,9}(\.\d{1,6})?$/.test(text) || Number(text) === 0;
    const [from, to] = text.split('-');
    return !hoursShape.test(text) || from === to;
  });
}

/** The limits in words for the list of applications. */
export function limitPhrases(t: TFunction, { documentsPerDay, documentSize, hours }: Limits): readonly string[] {
  return [
    ...(documentsPerDay === undefined ? [] : [t('applications.perDay', { count: documentsPerDay })]),
    ...(documentSize === undefined ? [] : [t('applications.upTo', { size: documentSize / megabyte })]),
    ...(hours === undefined ? [] : [hours]),
  ];
}

interface LimitFieldsProps {
  readonly limits: LimitTexts;
  /** Show what is wrong. */
  readonly checked: boolean;
  readonly onChange: (limits: LimitTexts) => void;
}

/** The optional limits of an application. */
export function LimitFields({ limits, checked, onChange }: LimitFieldsProps) {
  const { t } = useTranslation();
  const wrong = wrongLimits(limits);
  const field = (name: keyof Limits) => ({
    name,
    label: t(`applications.${name}`),
    autoComplete: 'off',
    ...textField(
      limits[name],
      (text) => onChange({ ...limits, [name]: text }),
      checked && wrong.includes(name)
        ? t(name === 'hours' ? 'applications.hoursError' : 'applications.numberError')
        : null,
    ),
  });
  return (
    <Fieldset legend={t('applications.limits')}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('applications.limitsText')}
      </Text>
      <Group grow align="flex-start">
        <TextInput inputMode="numeric" maxLength={9} {...field('documentsPerDay')} />
        <TextInput inputMode="decimal" maxLength={16} {...field('documentSize')} />
      </Group>
      <TextInput mt="sm" maxLength={11} description={t('applications.hoursHelp')} {...field('hours')} />
    </Fieldset>
  );
}
