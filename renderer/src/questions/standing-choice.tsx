import { Checkbox, Group, NumberInput, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { checkField } from '../components/fields/fields.ts';

/** The fields of an approval in advance. */
export interface StandingFields {
  readonly wanted: boolean;
  readonly signatures: number;
  readonly minutes: number;
}

/** The limits of the core. */
const mostSignatures = 1000;
const mostMinutes = 1440;

export const noStanding: StandingFields = { wanted: false, signatures: 20, minutes: 15 };

/** True for complete fields. */
export function isStandingComplete({ wanted, signatures, minutes }: StandingFields): boolean {
  const within = (value: number, most: number): boolean => Number.isInteger(value) && value >= 1 && value <= most;
  return !wanted || (within(signatures, mostSignatures) && within(minutes, mostMinutes));
}

interface StandingChoiceProps {
  readonly standing: StandingFields;
  readonly onChange: (standing: StandingFields) => void;
}

/** "N signatures for M minutes", for the asking site and its certificate. */
export function StandingChoice({ standing, onChange }: StandingChoiceProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <Checkbox
        label={t('approval.standing')}
        description={t('approval.standingHelp')}
        {...checkField(standing.wanted, (wanted) => onChange({ ...standing, wanted }))}
      />
      {standing.wanted ? (
        <Group gap="md" pl="xl">
          <NumberInput
            label={t('approval.standingCount')}
            min={1}
            max={mostSignatures}
            allowDecimal={false}
            hideControls
            value={standing.signatures}
            onChange={(value) => onChange({ ...standing, signatures: Number(value) })}
          />
          <NumberInput
            label={t('approval.standingMinutes')}
            min={1}
            max={mostMinutes}
            allowDecimal={false}
            hideControls
            value={standing.minutes}
            onChange={(value) => onChange({ ...standing, minutes: Number(value) })}
          />
        </Group>
      ) : null}
    </Stack>
  );
}
