import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ValidationView } from '../../../../src/ui-contract/ui-contract.ts';
import { Field, Fields } from '../../components/page.tsx';
import { Mark } from '../../components/status.tsx';
import { formatDay, formatInstant } from '../../format/format.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import classes from './validate.module.css';

type Signature = ValidationView['report']['signatures'][number];
type Check = Signature['checks'][number];
type Link = Signature['chain'][number];

/** Names and values in the report's words. */
export function ReportRows({ rows }: { readonly rows: Signature['rows'] }) {
  return (
    <Fields>
      {rows.map(({ label, value }) => (
        <Field key={label} name={label}>
          {value}
        </Field>
      ))}
    </Fields>
  );
}

const outcomes = {
  failed: { tone: 'bad', icon: 'bad' },
  unknown: { tone: 'warning', icon: 'warning' },
  warning: { tone: 'warning', icon: 'warning' },
  passed: { tone: 'good', icon: 'good' },
} as const satisfies Record<Check['outcome'], object>;

const worstFirst = Object.keys(outcomes);

/** The checks, problems first, with remedies. */
export function Checks({ checks }: { readonly checks: readonly Check[] }) {
  const { t } = useTranslation();
  const sorted = checks.toSorted((one, other) => worstFirst.indexOf(one.outcome) - worstFirst.indexOf(other.outcome));
  if (sorted.length === 0) return null;
  return (
    <ul className={classes.checks}>
      {sorted.map((check, index) => (
        <li key={`${check.code} ${index}`}>
          <Mark {...outcomes[check.outcome]}>{t(`validate.outcome.${check.outcome}`)}</Mark>
          <div className={classes.rowText}>
            <Text size="sm">{check.finding}</Text>
            {check.outcome === 'passed' ? null : <CheckHelp check={check} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

function CheckHelp({ check }: { readonly check: Check }) {
  const { t } = useTranslation();
  return (
    <>
      {check.remedy === null ? null : (
        <Text size="sm" fw={550}>
          {t('validate.remedy', { text: check.remedy })}
        </Text>
      )}
      {check.detail === null ? null : (
        <Text size="sm" c="dimmed">
          {check.detail}
        </Text>
      )}
    </>
  );
}

const revocations = {
  good: { tone: 'good', icon: 'good' },
  revoked: { tone: 'bad', icon: 'bad' },
  unknown: { tone: 'warning', icon: 'warning' },
} as const;

/** The chain from the signer upwards, with the revocation status of each certificate. */
export function Chain({ chain }: { readonly chain: Signature['chain'] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const statusOf = (revocation: keyof typeof revocations, { evidence, revokedAt }: Link): string => {
    const status = t(`validate.revocation.${revocation}`);
    const time = revokedAt === null ? [] : [formatInstant(revokedAt, language)];
    return [`${status}${evidence === null ? '' : ` (${evidence})`}`, ...time].join(', ');
  };
  if (chain.length === 0) return <Text size="sm">{t('validate.chainNone')}</Text>;
  return (
    <ol className={classes.chain}>
      {chain.map((link, index) => (
        <li key={`${link.name} ${index}`}>
          <span className={classes.wrap}>{link.name}</span>
          <Text size="sm" c="dimmed" component="span">
            {t('validate.linkUntil', { day: formatDay(link.notAfter, language) })}
            {link.role === null ? null : `, ${link.role}`}
          </Text>
          {link.revocation === null ? null : (
            <span>
              <Mark {...revocations[link.revocation]}>{statusOf(link.revocation, link)}</Mark>
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

const harmless = ['none', 'long-term-update'];

/** Changes by later revisions of a PDF, with the pages. */
export function Changes({ changes }: { readonly changes: Signature['changes'] }) {
  const { t } = useTranslation();
  if (changes.length === 0) return <Text size="sm">{t('validate.changesNone')}</Text>;
  return (
    <ul className={classes.checks}>
      {changes.map((change, index) => (
        <li key={`${change.code} ${index}`}>
          <Mark
            tone={harmless.includes(change.level) ? 'neutral' : 'warning'}
            icon={harmless.includes(change.level) ? 'idle' : 'warning'}
          >
            {t(`validate.changeLevel.${change.level}`)}
          </Mark>
          <div className={classes.rowText}>
            <Text size="sm" fw={550}>
              {change.page === null ? t('validate.changeWhole') : t('validate.changePage', { page: change.page })}
            </Text>
            <Text size="sm">{change.text}</Text>
          </div>
        </li>
      ))}
    </ul>
  );
}
