import { useTranslation } from 'react-i18next';
import { Mark } from '../../components/status.tsx';
import type { DeskItem, Outcome } from './desk-state.ts';

const marks = {
  ready: { tone: 'neutral', icon: 'idle', text: 'sign.queued' },
  queued: { tone: 'neutral', icon: 'idle', text: 'sign.queued' },
  sent: { tone: 'neutral', icon: 'good', text: 'sign.sent' },
  approval: { tone: 'warning', icon: 'waiting', text: 'status.approval' },
  pin: { tone: 'warning', icon: 'pin', text: 'status.pin' },
  evidence: { tone: 'warning', icon: 'waiting', text: 'status.evidence' },
  signing: { tone: 'accent', icon: 'working', text: 'status.signing' },
  signed: { tone: 'good', icon: 'good', text: 'status.signed' },
  failed: { tone: 'bad', icon: 'bad', text: 'status.error' },
} as const satisfies Record<Exclude<Outcome['kind'], 'sending'>, object>;

interface OutcomeMarkProps {
  readonly item: DeskItem;
  readonly outcome: Outcome;
  /** True if the batch is held back: nothing of it is being signed. */
  readonly isHeld: boolean;
}

/** The state of a file, in a word. */
export function OutcomeMark({ item, outcome, isHeld }: OutcomeMarkProps) {
  const { t } = useTranslation();
  if (isHeld && outcome.kind === 'signing') {
    return (
      <Mark tone="neutral" icon="idle">
        {t('sign.paused')}
      </Mark>
    );
  }
  if (outcome.kind === 'sending') return <SendingMark sent={outcome.sent} size={item.file.size} />;
  const { text, ...mark } = marks[outcome.kind];
  return <Mark {...mark}>{t(text)}</Mark>;
}

/** The share of a file that has reached the core. */
function SendingMark({ sent, size }: { readonly sent: number; readonly size: number }) {
  const { t, i18n } = useTranslation();
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(Math.min(1, sent / size));
  return (
    <Mark tone="accent" icon="working">
      {t('sign.sendingPercent', { percent })}
    </Mark>
  );
}
