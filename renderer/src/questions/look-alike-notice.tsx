import { useTranslation } from 'react-i18next';
import { Notice } from '../components/notice.tsx';
import classes from './site-name.module.css';

interface LookAlikeNoticeProps {
  readonly origin: string;
  readonly displayOrigin: string;
}

/** Shows the true address of a site with letters that look like others. */
export function LookAlikeNotice({ origin, displayOrigin }: LookAlikeNoticeProps) {
  const { t } = useTranslation();
  if (origin === displayOrigin) return null;
  return (
    <Notice kind="warning" title={t('sites.lookAlike')}>
      {t('sites.lookAlikeText')}
      <div className={classes.origin}>{origin}</div>
    </Notice>
  );
}
