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
  /** Number of waiting questions, including this question. */
  readonly count: number;
  /** Until when somebody waits for the answer. */
  readonly waits: string;
  readonly answering: Answering;
  /** The three answers, in words. */
  readonly later: string;
  readonly no: string;
  readonly yes: string;
  /** True when the answer is incomplete, so that Yes is not possible. */
  readonly blocked?: boolean;
  readonly onPostpone: () => void;
  readonly onNo: () => void;
  readonly onYes: () => void;
  /** The requester and the request. */
  readonly children: ReactNode;
}

/** A question from outside that appeared by itself, on top of everything. Closing postpones the question. */
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
  /** The running answer. */
  readonly busy: Answer | null;
  /** The last refusal, in words. */
  readonly error: string | null;
  /** Gives an answer; `told` is the notice after success. */
  readonly give: (answer: Answer, call: Promise<CallResult<unknown>>, told: string) => Promise<void>;
}

/** Gives the answer to a question. A given answer stays busy: the dialog closes after the core's event. */
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
