import { Stack, Text } from '@mantine/core';
import { Blocks } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WaitingAuthorizationView } from '../../../src/ui-contract/identity-calls.ts';
import classes from '../approval/approval.module.css';
import { DecisionButtons } from '../approval/decision-buttons.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';
import { formatDuration, formatTime } from '../format/duration.ts';
import { maskTaxpayer } from '../format/taxpayer.ts';
import { useErrorText } from '../i18n/error-text.ts';

interface AuthorizationDialogProps {
  readonly request: WaitingAuthorizationView;
  /** How many wait, this one included. */
  readonly count: number;
  readonly onPostpone: () => void;
}

/** Asks whether an application may act for the selected user: who asks, what for, in whose name, and for how long. */
export function AuthorizationDialog({ request, count, onPostpone }: AuthorizationDialogProps) {
  const { t, i18n } = useTranslation();
  const { busy, error, decide } = useDecision(request.id);
  return (
    <Dialog
      onTop
      onClose={onPostpone}
      closeLabel={t('authorization.later')}
      title={t('authorization.title')}
      size="lg"
      {...(count > 1 ? { aside: t('approval.position', { position: 1, count }) } : {})}
    >
      <Stack gap="md" tabIndex={-1} data-autofocus className={classes.focusless}>
        <Facts request={request} />
        {request.scopes.includes('signature_session') ? (
          <Notice kind="warning">{t('authorization.session')}</Notice>
        ) : null}
        <Text size="sm" c="dimmed">
          {t('authorization.waits', { time: formatTime(request.expiresAt, i18n.language) })}
        </Text>
        {error === null ? null : (
          <Notice kind="error" alert>
            {error}
          </Notice>
        )}
        <DecisionButtons
          busy={busy}
          later={t('authorization.later')}
          no={t('authorization.refuse')}
          yes={t('authorization.allow')}
          onLater={onPostpone}
          onNo={() => void decide('refuse')}
          onYes={() => void decide('allow')}
        />
      </Stack>
    </Dialog>
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
        <span className={classes.detail}>{maskTaxpayer(person.username)}</span>
      </dd>
      <dt>{t('authorization.lifetime')}</dt>
      <dd>{formatDuration(lifetime, i18n.language)}</dd>
      <dt>{t('authorization.returnsTo')}</dt>
      <dd>{returnsTo}</dd>
    </dl>
  );
}

function useDecision(id: string) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [busy, setBusy] = useState<'yes' | 'no' | null>(null);
  const [error, setError] = useState<string | null>(null);
  const decide = async (decision: 'allow' | 'refuse'): Promise<void> => {
    setBusy(decision === 'allow' ? 'yes' : 'no');
    setError(null);
    const result = await bridge.call('authorizations.decide', { id, decision });
    queries.refresh('authorizations.waiting', 'applications.list');
    if (result.ok) {
      toasts.done(decision === 'allow' ? t('authorization.allowed') : t('authorization.refused'));
      return;
    }
    setBusy(null);
    setError(errorText(result.error));
  };
  return { busy, error, decide };
}
