import { CircleAlert, CircleCheck, CircleQuestionMark, CircleX, LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ValidationView } from '../../../src/ui-contract/ui-contract.ts';
import classes from './light.module.css';

export type Indication = ValidationView['report']['indication'];

/** How a verdict looks; its word always stands beside the icon. */
export const tones = {
  'TOTAL-PASSED': 'good',
  'TOTAL-FAILED': 'bad',
  INDETERMINATE: 'warning',
} as const satisfies Record<Indication, string>;

const icons: Record<Indication, LucideIcon> = {
  'TOTAL-PASSED': CircleCheck,
  'TOTAL-FAILED': CircleX,
  INDETERMINATE: CircleQuestionMark,
};

interface LightProps {
  /** Null while it is not known yet. */
  readonly indication: Indication | null;
  /** True for a valid signature behind which the document was changed. */
  readonly changed?: boolean;
  readonly size: 'large' | 'small';
}

/** The traffic light: a shape of its own for each colour. Silent to a screen reader, because the word says it. */
export function Light({ indication, changed = false, size }: LightProps) {
  const isChanged = changed && indication === 'TOTAL-PASSED';
  const Icon = indication === null ? LoaderCircle : isChanged ? CircleAlert : icons[indication];
  return (
    <span
      className={classes.light}
      data-tone={indication === null ? 'neutral' : isChanged ? 'warning' : tones[indication]}
      data-size={size}
      aria-hidden
    >
      <Icon size={size === 'large' ? 28 : 20} />
    </span>
  );
}
