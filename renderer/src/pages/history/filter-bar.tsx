import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Search, X } from '../../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
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
        spellCheck={false}
        autoComplete="off"
        value={choice.text}
        onChange={(event) => onChange({ ...choice, text: event.currentTarget.value })}
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
        value={choice.status}
        onChange={(event) => {
          const { value } = event.currentTarget;
          onChange({ ...choice, status: statuses.find((one) => one === value) ?? '' });
        }}
        data={[
          { value: '', label: t('history.anyStatus') },
          ...statuses.map((value) => ({ value, label: t(`history.${statusNames[value]}`) })),
        ]}
      />
      <NativeSelect
        label={t('history.type')}
        value={choice.type}
        onChange={(event) => {
          const { value } = event.currentTarget;
          onChange({ ...choice, type: types.find((one) => one === value) ?? '' });
        }}
        data={[{ value: '', label: t('history.anyType') }, ...types]}
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
        value={choice.from}
        error={wrongDates}
        onChange={(event) => onChange({ ...choice, from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('history.until')}
        value={choice.until}
        error={wrongDates !== null}
        onChange={(event) => onChange({ ...choice, until: event.currentTarget.value })}
      />
    </>
  );
}
