import { ActionIcon, NumberInput, Text } from '@mantine/core';
import { ChevronLeft, ChevronRight } from '../icons/index.ts';
import { useTranslation } from 'react-i18next';
import classes from './pdf.module.css';

interface PagePickerProps {
  readonly number: number;
  /** 0 if the number is unknown. */
  readonly pages: number;
  readonly onChange: (page: number) => void;
  /** The accessible name of the field: the purpose of the page, such as the stamp. */
  readonly label: string;
}

/** Chooses a page of a document. */
export function PagePicker({ number, pages, onChange, label }: PagePickerProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.picker} role="group" aria-label={label}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('stamp.previous')}
        disabled={number <= 1}
        onClick={() => onChange(number - 1)}
      >
        <ChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <NumberInput
        className={classes.number}
        aria-label={t('stamp.pageNumber')}
        min={1}
        {...(pages === 0 ? {} : { max: pages })}
        clampBehavior="strict"
        allowDecimal={false}
        hideControls
        disabled={pages === 0}
        value={number}
        onChange={(value) => {
          if (typeof value === 'number' && value >= 1) onChange(value);
        }}
      />
      <Text size="sm" c="dimmed">
        {pages === 0 ? '' : t('stamp.of', { count: pages })}
      </Text>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('stamp.next')}
        disabled={number >= pages}
        onClick={() => onChange(number + 1)}
      >
        <ChevronRight size={18} aria-hidden />
      </ActionIcon>
    </div>
  );
}
