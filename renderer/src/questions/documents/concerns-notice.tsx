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

/** Warns of active or hidden content, and of documents that could not be examined, before the answer is given. */
export function ConcernsNotice({ documents, inspections }: ConcernsNoticeProps) {
  const { t } = useTranslation();
  const found = new Map<Concern | 'not-read', ApprovalDocument[]>();
  for (const document of documents) {
    const inspected = inspections.get(document.key);
    if (inspected === undefined) continue;
    const concerns = inspected.ok ? concernsOf(inspected.value) : readable(inspected.error.code);
    for (const concern of concerns) found.set(concern, [...(found.get(concern) ?? []), document]);
  }
  if (found.size === 0) return null;
  return (
    <Notice kind="warning" title={t('approval.concerns')}>
      <ul className={classes.concerns}>
        {[...found].map(([concern, concerned]) => (
          <li key={concern}>
            {t(`approval.concern.${concern}`)}
            {documents.length === 1 ? null : <Names documents={concerned} />}
          </li>
        ))}
      </ul>
    </Notice>
  );
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
