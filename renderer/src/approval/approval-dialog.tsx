import { Button, Group, Stack, Text } from '@mantine/core';
import { AppWindow, Blocks, FileText, Globe, SquareTerminal, Workflow } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateView, UiDocument, UiTransaction } from '../../../src/ui-contract/ui-contract.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { Mark } from '../components/status.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';
import { formatSize, groupHex, shortenHex } from '../format/format.ts';
import { useErrorText } from '../i18n/error-text.ts';
import classes from './approval.module.css';

interface ApprovalDialogProps {
  readonly transaction: UiTransaction;
  /** Null while it is not known, or when its token was taken out. */
  readonly certificate: CertificateView | null;
  /** How many wait, this one included. */
  readonly count: number;
  readonly onPostpone: () => void;
}

/** After the dialog has come up by itself, a key or click meant for what was there before must not approve. */
const guardTime = 500;

const requesterIcons = {
  'native-program': Workflow,
  'user-interface': AppWindow,
  'command-line': SquareTerminal,
  site: Globe,
  application: Blocks,
};

/** Asks whether a transaction may be signed: who asks, with which certificate, and exactly which documents. */
export function ApprovalDialog({ transaction, certificate, count, onPostpone }: ApprovalDialogProps) {
  const { t } = useTranslation();
  const { tcn, documents } = transaction;
  const decision = useDecision(tcn);
  const armed = useArmed();
  const listTitle = useId();
  return (
    <Dialog
      onTop
      onClose={onPostpone}
      closeLabel={t('approval.later')}
      title={t('approval.title')}
      size="lg"
      {...(count > 1 ? { aside: t('approval.position', { position: 1, count }) } : {})}
    >
      <Stack gap="md" tabIndex={-1} data-autofocus className={classes.focusless}>
        <Facts transaction={transaction} certificate={certificate} />
        <div>
          <Text fw={600} size="sm" mb={6} id={listTitle}>
            {t('approval.documents', { count: documents.length })}
          </Text>
          <ul
            className={classes.documents}
            aria-labelledby={listTitle}
            {...(documents.length > 4 ? { tabIndex: 0 } : {})}
          >
            {documents.map((document) => (
              <DocumentRow key={document.id} document={document} />
            ))}
          </ul>
        </div>
        <Text size="sm" c="dimmed">
          {t('approval.hint')}
        </Text>
        {decision.error === null ? null : (
          <Notice kind="error" alert>
            {decision.error}
          </Notice>
        )}
        <div className={classes.buttons}>
          <Button variant="subtle" color="gray" onClick={onPostpone} disabled={decision.busy !== null}>
            {t('approval.later')}
          </Button>
          <Group gap="sm" className={classes.decide}>
            <Button
              variant="default"
              loading={decision.busy === 'refuse'}
              disabled={decision.busy === 'approve'}
              onClick={() => void decision.decide('refuse')}
            >
              {t('approval.refuse')}
            </Button>
            <Button
              loading={decision.busy === 'approve'}
              disabled={decision.busy === 'refuse'}
              aria-disabled={!armed}
              onClick={() => {
                if (armed) void decision.decide('approve');
              }}
            >
              {t('approval.approve')}
            </Button>
          </Group>
        </div>
      </Stack>
    </Dialog>
  );
}

function Facts({ transaction, certificate }: Pick<ApprovalDialogProps, 'transaction' | 'certificate'>) {
  const { t } = useTranslation();
  const Icon = requesterIcons[transaction.requesterKind];
  return (
    <dl className={classes.facts}>
      <dt>{t('approval.asks')}</dt>
      <dd>
        <span className={classes.requester}>
          <Icon size={18} aria-hidden />
          <strong>{transaction.requester}</strong>
        </span>
        <span className={classes.detail}>{t(`requester.${transaction.requesterKind}`)}</span>
      </dd>
      <dt>{t('approval.certificate')}</dt>
      <dd>
        <strong>{certificate?.holder ?? transaction.certificateAlias}</strong>
        {certificate === null ? null : (
          <span className={classes.detail}>
            {[certificate.taxpayerNumber, certificate.issuer].filter((text) => text !== null).join(' · ')}
          </span>
        )}
        {certificate?.isTest === true ? (
          <Mark tone="warning" icon="test">
            {t('certificates.test')}
          </Mark>
        ) : null}
      </dd>
      <dt>{t('approval.type')}</dt>
      <dd>
        {transaction.type} · {transaction.digest.toUpperCase().replace(/^SHA(\d)/, 'SHA-$1')}
      </dd>
    </dl>
  );
}

function DocumentRow({ document }: { readonly document: UiDocument }) {
  const { t, i18n } = useTranslation();
  const { name, size, checksum } = document;
  return (
    <li className={classes.document}>
      <FileText size={18} aria-hidden />
      <div className={classes.documentText}>
        <span className={classes.documentName}>{name}</span>
        <span className={classes.detail}>
          {size === null ? t('approval.sizeUnknown') : formatSize(size, i18n.language)}
          {checksum === null ? null : (
            <>
              {' · '}
              {t('approval.checksum')}{' '}
              <span className={classes.checksum} title={groupHex(checksum)}>
                {shortenHex(checksum)}
              </span>
            </>
          )}
        </span>
      </div>
      {checksum === null ? null : <CopyButton text={checksum} name={t('approval.fullChecksum', { name })} />}
    </li>
  );
}

interface Decision {
  readonly busy: 'approve' | 'refuse' | null;
  readonly error: string | null;
  readonly decide: (decision: 'approve' | 'refuse') => Promise<void>;
}

function useDecision(tcn: string): Decision {
  const { bridge, queries } = useCore();
  const { t } = useTranslation();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [busy, setBusy] = useState<Decision['busy']>(null);
  const [error, setError] = useState<string | null>(null);
  const decide = async (decision: 'approve' | 'refuse'): Promise<void> => {
    setBusy(decision);
    setError(null);
    const result = await bridge.call('approvals.decide', { tcn, decision });
    queries.refresh('home.read', 'transactions.read', 'transactions.list');
    if (result.ok) {
      toasts.done(decision === 'approve' ? t('approval.approved') : t('approval.refused'));
      return;
    }
    setBusy(null);
    setError(errorText(result.error));
  };
  return { busy, error, decide };
}

function useArmed(): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), guardTime);
    return () => clearTimeout(timer);
  }, []);
  return armed;
}
