import { Stack, Switch, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkField } from '../../components/fields/fields.ts';
import { FileIcon } from '../../components/file-icon.tsx';
import { Section } from '../../components/page.tsx';
import { ResultActions } from '../../components/result-actions.tsx';
import { formatSize } from '../../format/format.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import type { BatchEntry } from './batch-entry.ts';
import { BatchSummary } from './batch-summary.tsx';
import { isFinished, outcomeOf, type DeskState } from './desk-state.ts';
import { OutcomeMark } from './outcome-mark.tsx';
import { RowsInSight } from '../../components/list/rows-in-sight.tsx';
import classes from './sign.module.css';
import { ShownName } from '../../components/text/shown-name.tsx';

/** A batch in progress, and then its results. */
export function BatchCard({ desk }: { readonly desk: DeskState }) {
  const { t } = useTranslation();
  const [onlyFailed, setOnlyFailed] = useState(false);
  const entries = useMemo(
    () => desk.items.filter((item) => item.file.size > 0).map((item) => ({ item, outcome: outcomeOf(item, desk) })),
    [desk],
  );
  const finished = isFinished(desk);
  const failed = entries.filter(({ outcome }) => outcome.kind === 'failed');
  const canNarrow = finished && failed.length > 0 && failed.length < entries.length;
  const shown = canNarrow && onlyFailed ? failed : entries;
  return (
    <Stack gap="lg">
      <BatchSummary entries={entries} desk={desk} finished={finished} />
      <Section
        title={t('sign.files', { count: shown.length })}
        flush
        side={
          canNarrow ? (
            <Switch size="xs" label={t('sign.onlyFailed')} {...checkField(onlyFailed, setOnlyFailed)} />
          ) : null
        }
      >
        <RowsInSight items={shown} label={t('sign.files', { count: shown.length })} keyOf={({ item }) => item.id}>
          {(entry) => <BatchRow {...entry} isHeld={desk.paused} />}
        </RowsInSight>
      </Section>
    </Stack>
  );
}

function BatchRow({ item, outcome, isHeld }: BatchEntry & { readonly isHeld: boolean }) {
  const name = outcome.kind === 'signed' ? (outcome.document.resultName ?? item.file.name) : item.file.name;
  return (
    <div className={classes.row} data-results>
      <FileIcon isPdf={item.isPdf} />
      <div className={classes.rowText}>
        <Text className={classes.cut} title={name}>
          <ShownName name={name} />
        </Text>
        <SecondLine item={item} outcome={outcome} />
      </div>
      <div className={classes.rowSide}>
        <OutcomeMark item={item} outcome={outcome} isHeld={isHeld} />
        {outcome.kind === 'signed' ? <ResultActions tcn={outcome.tcn} document={outcome.document} /> : null}
      </div>
    </div>
  );
}

/** The size of the file, shown next to its name. */
const shownSize = ({ item, outcome }: BatchEntry): number =>
  outcome.kind === 'signed' ? (outcome.document.resultSize ?? item.file.size) : item.file.size;

function SecondLine({ item, outcome }: BatchEntry) {
  const { i18n } = useTranslation();
  const errorText = useErrorText();
  if (outcome.kind !== 'failed') {
    return (
      <Text size="sm" c="dimmed" className={classes.cut}>
        {formatSize(shownSize({ item, outcome }), i18n.language)}
      </Text>
    );
  }
  const reason = errorText(outcome.error);
  return (
    <Text size="sm" c="var(--mantine-color-error)" className={classes.cut} title={reason}>
      {reason}
    </Text>
  );
}
