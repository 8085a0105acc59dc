import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/notice.tsx';
import { ShownName } from '../../components/text/shown-name.tsx';
import { concernsOf, type ApprovalDocument, type Concern } from './approval-document.ts';
import classes from './documents.module.css';
import type { Inspections } from './inspection-queue.ts';

/** Names of documents beside each concern; the list marks all. */
const mostNames = 3;

interface ConcernsNoticeProps {
  readonly documents: readonly ApprovalDocument[];
  readonly inspections: Inspections;
}

/**
 * Warns of content that acts, is hidden, or that other programs draw differently, and of documents that could not be
 * examined, before the answer is given. One line, behind which the others are folded.
 */
export function ConcernsNotice({ documents, inspections }: ConcernsNoticeProps) {
  const { t } = useTranslation();
  const found = new Map<Concern | 'not-read', ApprovalDocument[]>();
  for (const document of documents) {
    const inspected = inspections.get(document.key);
    if (inspected === undefined) continue;
    const concerns = inspected.ok ? concernsOf(inspected.value) : readable(inspected.error.code);
    for (const concern of concerns) found.set(concern, [...(found.get(concern) ?? []), document]);
  }
  const [first, ...others] = [...found].sort(([one], [other]) => rankOf(one) - rankOf(other));
  if (first === undefined) return null;
  const line = ([concern, concerned]: typeof first): ReactNode => (
    <>
      {t(`approval.concern.${concern}`)}
      {documents.length === 1 ? null : <Names documents={concerned} />}
    </>
  );
  const head = (
    <>
      <strong>{t('approval.concerns')}</strong> {line(first)}
    </>
  );
  if (others.length === 0) return <Notice kind="warning">{head}</Notice>;
  return (
    <Notice kind="warning">
      <details className={classes.folded}>
        <summary>
          {head} <span className={classes.detail}>{t('approval.moreConcerns', { count: others.length })}</span>
        </summary>
        <ul className={classes.concerns}>
          {others.map((entry) => (
            <li key={entry[0]}>{line(entry)}</li>
          ))}
        </ul>
      </details>
    </Notice>
  );
}

/** The gravest first: it is read without unfolding the others. */
const ranks: readonly (Concern | 'not-read')[] = [
  'not-read',
  'unreadable',
  'broken-drawing',
  'ambiguous',
  'hidden-layer',
  'javascript',
  'external',
  'xfa',
  'portfolio',
  'encrypted',
  'incomplete',
  'overprint',
  'field-values',
  'own-look',
  'rare-picture',
  'foreign-fonts',
];

function rankOf(concern: Concern | 'not-read'): number {
  const rank = ranks.indexOf(concern);
  return rank < 0 ? ranks.length : rank;
}

/** A document of which only the hash is stored has its own message. */
const readable = (code: string): readonly 'not-read'[] => (code === 'NOT_FOUND' ? [] : ['not-read']);

function Names({ documents }: { readonly documents: readonly ApprovalDocument[] }) {
  const { t } = useTranslation();
  const rest = documents.length - mostNames;
  return (
    <span className={classes.detail}>
      {documents.slice(0, mostNames).map(({ key, name }, index) => (
        <span key={key}>
          {index === 0 ? ' ' : ', '}
          <ShownName name={name} />
        </span>
      ))}
      {rest > 0 ? ` ${t('approval.andMore', { count: rest })}` : null}
    </span>
  );
}
