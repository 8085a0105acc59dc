import { Button } from '@mantine/core';
import { OctagonAlert } from '../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import { useCheckWords } from '../data/use-check-words.ts';
import { useFindings, type AnyCheck } from '../data/use-findings.ts';
import { hrefOf } from '../route.ts';
import classes from './shell.module.css';

/** Findings shown on every page because they affect all results: lost or damaged data, and a wrong clock. */
const urgent: ReadonlySet<AnyCheck['finding']> = new Set([
  'rows-missing',
  'rows-unknown',
  'other-history',
  'database-gone',
  'database-aside',
  'clock-ahead',
  'clock-behind',
  'clock-early',
  'clock-differs',
]);

/** Shows a line above the page for each urgent finding, with a link to its repair in Doctor. */
export function UrgentBar() {
  const { t } = useTranslation();
  const wordsOf = useCheckWords();
  const { wrong } = useFindings();
  return wrong
    .filter(({ finding }) => urgent.has(finding))
    .map((check) => {
      const { title, found, purpose } = wordsOf(check);
      return (
        <div key={check.id} className={classes.lost} role="status">
          <OctagonAlert size={18} aria-hidden />
          <span>
            <strong>{title}.</strong> {found} {purpose}
          </span>
          <Button component="a" size="compact-sm" variant="default" href={hrefOf('doctor')}>
            {t('home.toDoctor')}
          </Button>
        </div>
      );
    });
}
