import { Button } from '@mantine/core';
import { OctagonAlert } from '../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import { useCheckWords, useFindings } from '../data/use-findings.ts';
import { hrefOf } from '../route.ts';
import classes from './shell.module.css';

/** Shows a line above the page for each urgent finding, with a link to its repair in Doctor. */
export function UrgentBar() {
  const { t } = useTranslation();
  const describeCheck = useCheckWords();
  const { wrong } = useFindings();
  return wrong
    .filter(({ isUrgent }) => isUrgent)
    .map((check) => {
      const { title, message, purpose } = describeCheck(check);
      return (
        <div key={check.id} className={classes.lost} role="status">
          <OctagonAlert size={18} aria-hidden />
          <span>
            <strong>{title}.</strong> {message} {purpose}
          </span>
          <Button component="a" size="compact-sm" variant="default" href={hrefOf('doctor')}>
            {t('home.toDoctor')}
          </Button>
        </div>
      );
    });
}
