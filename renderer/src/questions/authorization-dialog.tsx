import { Blocks } from '../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import type { WaitingAuthorizationView } from '../../../src/ui-contract/identity-calls.ts';
import classes from './approval.module.css';
import { Notice } from '../components/notice.tsx';
import { QuestionDialog, useAnswering } from './question-dialog.tsx';
import { useCore } from '../data/core-context.ts';
import { formatDuration, formatTime } from '../format/duration.ts';
import { maskTaxpayerNumber } from '../../../src/text/taxpayer-number.ts';

interface AuthorizationDialogProps {
  readonly request: WaitingAuthorizationView;
  /** Number of waiting questions, including this question. */
  readonly count: number;
  readonly onPostpone: () => void;
}

/**
 * Asks whether an application may act for the selected user: the application, the permissions, the person, and the
 * lifetime.
 */
export function AuthorizationDialog({ request, count, onPostpone }: AuthorizationDialogProps) {
  const { t, i18n } = useTranslation();
  const { bridge } = useCore();
  const answering = useAnswering('authorizations.waiting', 'applications.list');
  const { id } = request;
  const allow = (): Promise<void> =>
    answering.give('yes', bridge.call('authorizations.decide', { id, decision: 'allow' }), t('authorization.allowed'));
  const refuse = (): Promise<void> =>
    answering.give('no', bridge.call('authorizations.decide', { id, decision: 'refuse' }), t('authorization.refused'));
  return (
    <QuestionDialog
      title={t('authorization.title')}
      count={count}
      waits={t('authorization.waits', { time: formatTime(request.expiresAt, i18n.language) })}
      answering={answering}
      later={t('authorization.later')}
      no={t('authorization.refuse')}
      yes={t('authorization.allow')}
      onPostpone={onPostpone}
      onNo={() => void refuse()}
      onYes={() => void allow()}
    >
      <Facts request={request} />
      {request.hashes > 0 ? (
        <Notice kind="warning">{t('authorization.hashes', { count: request.hashes })}</Notice>
      ) : null}
      {request.scopes.includes('signature_session') ? (
        <Notice kind="warning">{t('authorization.session')}</Notice>
      ) : null}
    </QuestionDialog>
  );
}

function Facts({ request }: { readonly request: WaitingAuthorizationView }) {
  const { t, i18n } = useTranslation();
  const { application, clientId, returnsTo, scopes, lifetime, person } = request;
  return (
    <dl className={classes.facts}>
      <dt>{t('authorization.asks')}</dt>
      <dd>
        <span className={classes.requester}>
          <Blocks size={18} aria-hidden />
          <strong>{application}</strong>
        </span>
        <span className={classes.detail}>{t('authorization.client', { id: clientId })}</span>
      </dd>
      <dt>{t('authorization.may')}</dt>
      <dd>
        <ul className={classes.scopes}>
          {scopes.map((scope) => (
            <li key={scope}>{t(`authorization.scopes.${scope}`)}</li>
          ))}
        </ul>
      </dd>
      <dt>{t('authorization.person')}</dt>
      <dd>
        <strong>{person.name}</strong>
        <span className={classes.detail}>{maskTaxpayerNumber(person.username)}</span>
      </dd>
      <dt>{t('authorization.lifetime')}</dt>
      <dd>{formatDuration(lifetime, i18n.language)}</dd>
      <dt>{t('authorization.returnsTo')}</dt>
      <dd>{returnsTo}</dd>
    </dl>
  );
}
