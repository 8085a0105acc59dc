import { siteName } from '../format/site-name.ts';
import classes from './site-name.module.css';

interface SiteNameTextProps {
  /** Origin with its host in Unicode. */
  readonly displayOrigin: string;
  readonly big?: boolean;
}

/** The host of a site, with the registered part standing out: its owner chooses the rest. */
export function SiteNameText({ displayOrigin, big = false }: SiteNameTextProps) {
  const { before, domain, port } = siteName(displayOrigin);
  return (
    <span className={big ? classes.big : classes.wrap}>
      {before === '' ? null : <span className={classes.before}>{before}</span>}
      <strong>{domain}</strong>
      {port === '' ? null : <span className={classes.before}>{port}</span>}
    </span>
  );
}
