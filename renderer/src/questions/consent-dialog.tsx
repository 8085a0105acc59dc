import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConsentQuestionView, GrantScopeView } from '../../../src/ui-contract/site-calls.ts';
import classes from './approval.module.css';
import { useCore } from '../data/core-context.ts';
import { formatTime } from '../format/duration.ts';
import { LookAlikeNotice } from './look-alike-notice.tsx';
import { questionDurations, type QuestionDuration } from './scopes.ts';
import { DurationChoices, ScopeChoices } from './scope-choices.tsx';
import { SiteNameText } from './site-name-text.tsx';
import siteClasses from './site-name.module.css';
import { QuestionDialog, useAnswering } from './question-dialog.tsx';

interface ConsentDialogProps {
  readonly question: ConsentQuestionView;
  /** Number of waiting questions, including this question. */
  readonly count: number;
  readonly onPostpone: () => void;
}

/** Asks whether a site may use this computer's keys: the site, the permissions, and their duration. */
export function ConsentDialog({ question, count, onPostpone }: ConsentDialogProps) {
  const { t, i18n } = useTranslation();
  const { origin, displayOrigin, scopes, wanted, expiresAt } = question;
  const [chosen, setChosen] = useState<readonly GrantScopeView[]>(wanted);
  const [duration, setDuration] = useState<QuestionDuration>('once');
  const { bridge } = useCore();
  const answering = useAnswering('consent.questions', 'sites.list');
  const { id } = question;
  const allow = (): Promise<void> => {
    const days = questionDurations.find(({ name }) => name === duration)?.days ?? null;
    const call = bridge.call('consent.answer', { id, allow: true, scopes: [...chosen], days });
    return answering.give('yes', call, t('consent.allowed'));
  };
  const refuse = (): Promise<void> =>
    answering.give('no', bridge.call('consent.answer', { id, allow: false }), t('consent.refused'));
  return (
    <QuestionDialog
      title={t('consent.title')}
      count={count}
      waits={t('consent.waits', { time: formatTime(expiresAt, i18n.language) })}
      answering={answering}
      later={t('consent.later')}
      no={t('consent.refuse')}
      yes={t('consent.allow')}
      blocked={chosen.length === 0}
      onPostpone={onPostpone}
      onNo={() => void refuse()}
      onYes={() => void allow()}
    >
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
    </QuestionDialog>
  );
}
