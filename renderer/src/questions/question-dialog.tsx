import { Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallResult } from '../../../src/ui-contract/ui-contract.ts';
import classes from './approval.module.css';
import { DecisionButtons } from './decision-buttons.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';
import type { ReadingCall } from '../data/query-cache.ts';
import { useErrorText } from '../i18n/error-text.ts';

type Answer = 'yes' | 'no';

interface QuestionDialogProps {
  readonly title: string;
  /** How many wait, this one included. */
  readonly count: number;
  /** Until when somebody waits for the answer. */
  readonly waits: string;
  readonly answering: Answering;
  /** The three answers, in words. */
  readonly later: string;
  readonly no: string;
  readonly yes: string;
  /** Whether the answer lacks something, so that it cannot be yes. */
  readonly blocked?: boolean;
  readonly onPostpone: () => void;
  readonly onNo: () => void;
  readonly onYes: () => void;
  /** Who asks, and for what. */
  readonly children: ReactNode;
}

/** A question of somebody outside that came up by itself, on top of everything. Closing it puts it off. */
export function QuestionDialog(props: QuestionDialogProps) {
  const { title, count, waits, answering, onPostpone, children, ...decision } = props;
  const { busy, error } = answering;
  const { t } = useTranslation();
  return (
    <Dialog
      onTop
      onClose={onPostpone}
      closeLabel={decision.later}
      title={title}
      size="lg"
      {...(count > 1 ? { aside: t('approval.position', { position: 1, count }) } : {})}
    >
      <Stack gap="md" tabIndex={-1} data-autofocus className={classes.focusless}>
        {children}
        <Text size="sm" c="dimmed">
          {waits}
        </Text>
        {error === null ? null : (
          <Notice kind="error" alert>
            {error}
          </Notice>
        )}
        <DecisionButtons busy={busy} onLater={onPostpone} {...decision} />
      </Stack>
    </Dialog>
  );
}

/** The answer to a question on its way. */
export interface Answering {
  /** Which answer it is. */
  readonly busy: Answer | null;
  /** In words, why the last one was not taken. */
  readonly error: string | null;
  /** Gives an answer; `told` is what is said when it was taken. */
  readonly give: (answer: Answer, call: Promise<CallResult<unknown>>, told: string) => Promise<void>;
}

/** Gives the answer to a question. One that was taken stays busy: the dialog goes when the core has told so. */
export function useAnswering(...changed: readonly ReadingCall[]): Answering {
  const { queries } = useCore();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [busy, setBusy] = useState<Answer | null>(null);
  const [error, setError] = useState<string | null>(null);
  const give = async (answer: Answer, call: Promise<CallResult<unknown>>, told: string): Promise<void> => {
    setBusy(answer);
    setError(null);
    const result = await call;
    queries.refresh(...changed);
    if (result.ok) {
      toasts.done(told);
      return;
    }
    setBusy(null);
    setError(errorText(result.error));
  };
  return { busy, error, give };
}
