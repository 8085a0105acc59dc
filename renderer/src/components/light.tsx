import {
  CircleAlert,
  CircleCheck,
  CircleQuestionMark,
  CircleX,
  LoaderCircle,
  type IconComponent,
} from './icons/index.ts';
import type { ValidationView } from '../../../src/ui-contract/ui-contract.ts';
import classes from './light.module.css';

export type Indication = ValidationView['report']['indication'];

/** Colours and icons of the verdicts; the word is always next to the icon. */
export const tones = {
  'TOTAL-PASSED': 'good',
  'TOTAL-FAILED': 'bad',
  INDETERMINATE: 'warning',
} as const satisfies Record<Indication, string>;

const icons: Record<Indication, IconComponent> = {
  'TOTAL-PASSED': CircleCheck,
  'TOTAL-FAILED': CircleX,
  INDETERMINATE: CircleQuestionMark,
};

interface LightProps {
  /** Null while the verdict is not known yet. */
  readonly indication: Indication | null;
  /** True for a valid signature after which the document was changed. */
  readonly changed?: boolean;
  readonly size: 'large' | 'small';
}

/**
 * The traffic light: each colour has its own shape. Hidden from screen readers, because the word next to it has the
 * same meaning.
 */
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
