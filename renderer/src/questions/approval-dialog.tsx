import { Stack, Text } from '@mantine/core';
import { AppWindow, Blocks, Globe, SquareTerminal, Workflow } from '../components/icons/index.ts';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, CertificateView, UiDocument, UiTransaction } from '../../../src/ui-contract/ui-contract.ts';
import { maskEveryNumber } from '../../../src/text/taxpayer-number.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { AcceptanceNotice, StaleTrustNotice } from '../components/signing-notes.tsx';
import { Mark } from '../components/status.tsx';
import { useToasts } from '../components/toasts.tsx';
import { useCore, useQuery } from '../data/core-context.ts';
import { nameOfDigest } from '../format/digest.ts';
import { useErrorText } from '../i18n/error-text.ts';
import { SiteNameText } from './site-name-text.tsx';
import classes from './approval.module.css';
import { DecisionButtons } from './decision-buttons.tsx';
import { documentsOf, type ApprovalDocument } from './documents/approval-document.ts';
import { ConcernsNotice } from './documents/concerns-notice.tsx';
import { DocumentDesk } from './documents/document-desk.tsx';
import { countUninspected, type Inspections } from './documents/inspection-queue.ts';
import { useInspections } from './documents/use-inspections.ts';
import { isStandingComplete, noStanding, StandingChoice, type StandingFields } from './standing-choice.tsx';
import { useRequesterName } from '../components/text/use-requester-name.ts';
import { ShownName } from '../components/text/shown-name.tsx';

interface ApprovalDialogProps {
  readonly transaction: UiTransaction;
  /** Further transactions that get the same answer: a batch has a transaction for each type of signature. */
  readonly also: readonly UiTransaction[];
  /** Null for an unknown certificate, or an absent token. */
  readonly certificate: CertificateView | null;
  /** Number of waiting questions, including this question. */
  readonly count: number;
  readonly onPostpone: () => void;
}

const requesterIcons = {
  'native-program': Workflow,
  'user-interface': AppWindow,
  'command-line': SquareTerminal,
  site: Globe,
  application: Blocks,
};

/** Asks for the approval of a transaction: the requester, the certificate, and the exact documents. */
export function ApprovalDialog({ transaction, also, certificate, count, onPostpone }: ApprovalDialogProps) {
  const { t } = useTranslation();
  const { requesterKind } = transaction;
  const all = useMemo(() => [transaction, ...also], [transaction, also]);
  const documents = useMemo(() => documentsOf(all), [all]);
  const [shown, setShown] = useState<string | null>(null);
  const inspections = useInspections(documents, shown);
  const left = countUninspected(documents, inspections);
  const hashed = documents.find(({ hash }) => hash !== undefined)?.hash;
  // The window cannot show the documents behind hashes: no later request is approved together with this one.
  const isUnseen = all.some(({ type }) => type === 'RAW') || hashed !== undefined;
  const { waitsForPage, onSettled } = usePageOnView(documents, shown, inspections);
  const [standing, setStanding] = useState<StandingFields>(noStanding);
  const decision = useDecision(all, certificate?.locked === true);
  return (
    <Dialog
      onTop
      onClose={onPostpone}
      closeLabel={t('approval.later')}
      title={t('approval.title')}
      size="72rem"
      {...(count > 1 ? { aside: t('approval.position', { position: 1, count }) } : {})}
    >
      <Stack gap="md" tabIndex={-1} data-autofocus className={`${classes.focusless ?? ''} ${classes.steady ?? ''}`}>
        <Facts transaction={transaction} also={also} certificate={certificate} />
        <AcceptanceNotice certificate={certificate} />
        <ContentNotices all={all} hash={hashed} />
        <DocumentDesk
          documents={documents}
          inspections={inspections}
          shown={shown}
          onShow={setShown}
          onSettled={onSettled}
        >
          <ConcernsNotice documents={documents} inspections={inspections} />
        </DocumentDesk>
        {requesterKind === 'site' && !isUnseen ? <StandingChoice standing={standing} onChange={setStanding} /> : null}
        <Text size="sm" c="dimmed">
          {t(hintOf({ waitsForChecks: left > 0 && documents.length > 1, waitsForPage, isUnseen }))}
        </Text>
        {decision.error === null ? null : (
          <Notice kind="error" alert>
            {decision.error}
          </Notice>
        )}
        <DecisionButtons
          busy={decision.busy}
          later={t('approval.later')}
          no={t('approval.refuse')}
          yes={t('approval.approve')}
          blocked={!isStandingComplete(standing) || left > 0 || waitsForPage}
          onLater={onPostpone}
          onNo={() => void decision.refuse()}
          onYes={() => void decision.approve(standing)}
        />
      </Stack>
    </Dialog>
  );
}

/** The sentence above the buttons. */
function hintOf(state: {
  readonly waitsForChecks: boolean;
  readonly waitsForPage: boolean;
  readonly isUnseen: boolean;
}) {
  if (state.waitsForChecks) return 'approval.waitsForChecks';
  if (state.waitsForPage) return 'approval.waitsForPage';
  return state.isUnseen ? 'approval.hash.hint' : 'approval.hint';
}

interface ContentNoticesProps {
  readonly all: readonly UiTransaction[];
  /** The hash of a document that is not here; undefined without one. */
  readonly hash: UiDocument['hash'];
}

/** Warnings before the documents: of policies whose trust data ends, of raw signatures, and of unknown contents. */
function ContentNotices({ all, hash }: ContentNoticesProps) {
  const { t } = useTranslation();
  return (
    <>
      {all.some(({ profile }) => profile === 'AD-RA') ? <StaleTrustNotice /> : null}
      {all.some(({ type }) => type === 'RAW') ? (
        <Notice kind="warning" title={t('approval.raw.title')}>
          {t('approval.raw.text')}
        </Notice>
      ) : null}
      {hash === undefined ? null : (
        <Notice kind="warning" title={t('approval.hash.unknownTitle')}>
          {t('approval.hash.unknown', { algorithm: nameOfDigest(hash.digest) })}
        </Notice>
      )}
    </>
  );
}

interface PageOnView {
  /** True until the page on view is drawn, or is said not to be: the answer waits for it. */
  readonly waitsForPage: boolean;
  readonly onSettled: (key: string, isSettled: boolean) => void;
}

function usePageOnView(
  documents: readonly ApprovalDocument[],
  shown: string | null,
  inspections: Inspections,
): PageOnView {
  const [settled, setSettled] = useState<string | null>(null);
  const onSettled = useCallback((key: string, isSettled: boolean) => setSettled(isSettled ? key : null), []);
  const seen = documents.find(({ key }) => key === shown) ?? documents[0];
  const inspected = inspections.get(seen?.key ?? '');
  const isDrawn = inspected?.ok === true && inspected.value.kind === 'pdf';
  return { waitsForPage: isDrawn && settled !== seen?.key, onSettled };
}

function Facts({ transaction, also, certificate }: Pick<ApprovalDialogProps, 'transaction' | 'also' | 'certificate'>) {
  const { t } = useTranslation();
  const Icon = requesterIcons[transaction.requesterKind];
  const name = useRequesterName()(transaction);
  const kind = t(`requester.${transaction.requesterKind}`);
  const claimed = [transaction, ...also].map(({ claimedRole }) => claimedRole);
  const roles = [...new Set(claimed.filter((role) => role !== null))];
  return (
    <dl className={classes.request}>
      <div>
        <dt>{t('approval.asks')}</dt>
        <dd>
          <span className={classes.requester}>
            <Icon size={18} aria-hidden />
            {transaction.requesterKind === 'site' ? (
              <SiteRequester origin={transaction.requester} />
            ) : (
              <strong>
                <ShownName name={name} />
              </strong>
            )}
          </span>
          <span className={classes.detail}>
            {kind === name ? '' : kind}
            {transaction.requesterKind === 'site' ? ` · ${transaction.requester}` : ''}
          </span>
        </dd>
      </div>
      <div>
        <dt>{t('approval.certificate')}</dt>
        <dd>
          <strong>{certificate?.holder ?? maskEveryNumber(transaction.certificateAlias)}</strong>
          {certificate === null ? null : <CertificateFacts certificate={certificate} />}
        </dd>
      </div>
      <div>
        <dt>{t('approval.type')}</dt>
        <dd>
          {[...new Set([transaction, ...also].map(({ type }) => type))].join(', ')} · {nameOfDigest(transaction.digest)}
        </dd>
      </div>
      {roles.length === 0 ? null : (
        <div>
          <dt>{t('approval.claimedRole')}</dt>
          <dd>
            <strong>{roles.join('; ')}</strong>
            <span className={classes.detail}>{t('approval.claimedRoleHelp')}</span>
          </dd>
        </div>
      )}
    </dl>
  );
}

function CertificateFacts({ certificate }: { readonly certificate: CertificateView }) {
  const { t } = useTranslation();
  return (
    <>
      <span className={classes.detail}>
        {[certificate.taxpayerNumber, certificate.issuer].filter((text) => text !== null).join(' · ')}
      </span>
      {certificate.isTest ? (
        <Mark tone="warning" icon="test">
          {t('certificates.test')}
        </Mark>
      ) : null}
    </>
  );
}

/** The site's name in Unicode, as in its grant. */
function SiteRequester({ origin }: { readonly origin: string }) {
  const sites = useQuery('sites.list', {});
  const site = sites.value?.find((one) => one.origin === origin);
  return <SiteNameText displayOrigin={site?.displayOrigin ?? origin} />;
}

interface Decision {
  readonly busy: 'yes' | 'no' | null;
  readonly error: string | null;
  readonly approve: (standing: StandingFields) => Promise<void>;
  readonly refuse: () => Promise<void>;
}

function useDecision(all: readonly UiTransaction[], needsPin: boolean): Decision {
  const { bridge, queries } = useCore();
  const { t } = useTranslation();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [busy, setBusy] = useState<Decision['busy']>(null);
  const [error, setError] = useState<string | null>(null);
  const decide = async (input: Omit<CallInput<'approvals.decide'>, 'tcn'>, text: string): Promise<void> => {
    setBusy(input.decision === 'approve' ? 'yes' : 'no');
    setError(null);
    const results = await Promise.all(all.map(({ tcn }) => bridge.call('approvals.decide', { ...input, tcn })));
    queries.refresh('home.read', 'transactions.read', 'transactions.list', 'sites.list');
    const failed = results.find((result) => !result.ok);
    if (failed === undefined) {
      // The window stays open if a PIN is asked for next, or if the page Sign shows the progress of its batch.
      const isFollowed = needsPin || all.some(({ requesterKind }) => requesterKind === 'user-interface');
      if (input.decision === 'refuse' || !isFollowed) toasts.done(text);
      return;
    }
    setBusy(null);
    setError(errorText(failed.error));
  };
  return {
    busy,
    error,
    approve: ({ wanted, signatures, minutes }) => {
      const standing = wanted ? { standing: { signatures, minutes } } : {};
      return decide({ decision: 'approve', ...standing }, t('approval.approved'));
    },
    refuse: () => decide({ decision: 'refuse' }, t('approval.refused')),
  };
}
