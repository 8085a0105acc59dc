import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  Clock,
  FlaskConical,
  KeyRound,
  LoaderCircle,
  Lock,
  LockOpen,
  Star,
  TriangleAlert,
  Unplug,
  Usb,
  type IconComponent,
} from './icons/index.ts';
import type { ReactNode } from 'react';
import classes from './status.module.css';

const icons = {
  good: CircleCheck,
  bad: CircleAlert,
  warning: TriangleAlert,
  waiting: Clock,
  working: LoaderCircle,
  idle: CircleDashed,
  locked: Lock,
  unlocked: LockOpen,
  pin: KeyRound,
  test: FlaskConical,
  star: Star,
  plugged: Usb,
  unplugged: Unplug,
} satisfies Record<string, IconComponent>;

/** The meaning of a mark; colour is never the only sign. */
export type Tone = 'good' | 'bad' | 'warning' | 'accent' | 'neutral';

interface MarkProps {
  readonly tone: Tone;
  readonly icon: keyof typeof icons;
  readonly children: ReactNode;
}

/** A small label with an icon, a colour and a text. */
export function Mark({ tone, icon, children }: MarkProps) {
  const Icon = icons[icon];
  return (
    <span className={classes.mark} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {children}
    </span>
  );
}
