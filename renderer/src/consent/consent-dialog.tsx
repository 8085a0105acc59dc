import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConsentQuestionView, GrantScopeView } from '../../../src/ui-contract/site-calls.ts';
import classes from '../approval/approval.module.css';
import { DecisionButtons } from '../approval/decision-buttons.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';
import { formatTime } from '../format/duration.ts';
import { useErrorText } from '../i18n/error-text.ts';
import { LookAlikeNotice } from '../sites/look-alike-notice.tsx';
import { questionDurations, type QuestionDuration } from '../sites/scopes.ts';
import { DurationChoices, ScopeChoices } from '../sites/scope-choices.tsx';
import { SiteNameText } from '../sites/site-name-text.tsx';
import siteClasses from '../sites/sites.module.css';

interface ConsentDialogProps {
  readonly question: ConsentQuestionView;
  /** How many wait, this one included. */
  readonly count: number;
  readonly onPostpone: () => void;
}

/** Asks whether a site may use this computer's keys: which site, what for, and for how long. */
export function ConsentDialog({ question, count, onPostpone }: ConsentDialogProps) {
  const { t, i18n } = useTranslation();
  const { origin, displayOrigin, scopes, wanted, expiresAt } = question;
  const [chosen, setChosen] = useState<readonly GrantScopeView[]>(scopes);
  const [duration, setDuration] = useState<QuestionDuration>('month');
  const { busy, error, answer } = useAnswer(question.id);
  return (
    <Dialog
      onTop
      onClose={onPostpone}
      closeLabel={t('consent.later')}
      title={t('consent.title')}
      size="lg"
      {...(count > 1 ? { aside: t('approval.position', { position: 1, count }) } : {})}
    >
      <Stack gap="md" tabIndex={-1} data-autofocus className={classes.focusless}>
        <Text>{t('consent.text')}</Text>
        <div className={classes.asker}>
          <SiteNameText displayOrigin={displayOrigin} big />
          <div className={classes.detail}>
            {t('consent.address')}: <span className={siteClasses.origin}>{displayOrigin}</span>
          </div>
        </div>
        <LookAlikeNotice origin={origin} displayOrigin={displayOrigin} />
        <ScopeChoices label={t('consent.may')} offered={scopes} wanted={wanted} chosen={chosen} onChange={setChosen} />
        <DurationChoices offered={questionDurations} duration={duration} onChange={setDuration} />
        <Text size="sm" c="dimmed">
          {t('consent.waits', { time: formatTime(expiresAt, i18n.language) })}
        </Text>
        {error === null ? null : (
          <Notice kind="error" alert>
            {error}
          </Notice>
        )}
        <DecisionButtons
          busy={busy}
          later={t('consent.later')}
          no={t('consent.refuse')}
          yes={t('consent.allow')}
          blocked={chosen.length === 0}
          onLater={onPostpone}
          onNo={() => void answer({ allow: false })}
          onYes={() =>
            void answer({
              allow: true,
              scopes: [...chosen],
              days: questionDurations.find(({ name }) => name === duration)?.days ?? null,
            })
          }
        />
      </Stack>
    </Dialog>
  );
}

type Answer =
  | { readonly allow: false }
  | { readonly allow: true; readonly scopes: GrantScopeView[]; readonly days: number | null | 'once' };

function useAnswer(id: string) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [busy, setBusy] = useState<'yes' | 'no' | null>(null);
  const [error, setError] = useState<string | null>(null);
  const answer = async (decision: Answer): Promise<void> => {
    setBusy(decision.allow ? 'yes' : 'no');
    setError(null);
    const result = await bridge.call('consent.answer', { id, ...decision });
    queries.refresh('consent.questions', 'sites.list');
    if (result.ok) {
      toasts.done(decision.allow ? t('consent.allowed') : t('consent.refused'));
      return;
    }
    setBusy(null);
    setError(errorText(result.error));
  };
  return { busy, error, answer };
}
