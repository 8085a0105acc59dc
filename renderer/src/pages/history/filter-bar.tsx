import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Search, X } from '../../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import { choiceField, technical, textField } from '../../components/fields/fields.ts';
import { datesInOrder, everything, statuses, types, type HistoryChoice } from './history-filter.ts';
import classes from './history.module.css';

const statusNames = { SIGNED: 'signed', WAITING: 'waiting', ERROR: 'failed' } as const;

interface FilterBarProps {
  readonly choice: HistoryChoice;
  readonly onChange: (choice: HistoryChoice) => void;
}

/** Chooses the shown signatures. Each change takes effect at once. */
export function FilterBar({ choice, onChange }: FilterBarProps) {
  const { t } = useTranslation();
  const isNarrowed = Object.values(choice).some((value) => value !== '');
  return (
    <search className={classes.filters} aria-label={t('history.filters')}>
      <TextInput
        className={classes.search}
        label={t('history.text')}
        placeholder={t('history.textHelp')}
        leftSection={<Search size={16} aria-hidden />}
        maxLength={200}
        {...technical}
        {...textField(choice.text, (text) => onChange({ ...choice, text }))}
      />
      <StatusAndType choice={choice} onChange={onChange} />
      <Dates choice={choice} onChange={onChange} />
      {isNarrowed ? (
        <Button
          className={classes.clear}
          variant="subtle"
          leftSection={<X size={16} aria-hidden />}
          onClick={() => onChange(everything)}
        >
          {t('history.clear')}
        </Button>
      ) : null}
    </search>
  );
}

/** The status of a signature, and its type. */
function StatusAndType({ choice, onChange }: FilterBarProps) {
  const { t } = useTranslation();
  return (
    <>
      <NativeSelect
        label={t('history.status')}
        {...choiceField(
          ['', ...statuses],
          choice.status,
          (one) => (one === '' ? t('history.anyStatus') : t(`history.${statusNames[one]}`)),
          (status) => onChange({ ...choice, status }),
        )}
      />
      <NativeSelect
        label={t('history.type')}
        {...choiceField(
          ['', ...types],
          choice.type,
          (one) => (one === '' ? t('history.anyType') : one),
          (type) => onChange({ ...choice, type }),
        )}
      />
    </>
  );
}

/** The first and the last day. */
function Dates({ choice, onChange }: FilterBarProps) {
  const { t } = useTranslation();
  const wrongDates = datesInOrder(choice) ? null : t('history.datesWrong');
  return (
    <>
      <TextInput
        type="date"
        label={t('history.from')}
        {...textField(choice.from, (from) => onChange({ ...choice, from }), wrongDates)}
      />
      <TextInput
        type="date"
        label={t('history.until')}
        {...textField(choice.until, (until) => onChange({ ...choice, until }), wrongDates !== null)}
      />
    </>
  );
}
