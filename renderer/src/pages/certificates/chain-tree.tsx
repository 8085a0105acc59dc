import { useTranslation } from 'react-i18next';
import { formatDay } from '../../format/format.ts';
import { withoutNumber } from '../../format/without-number.ts';
import classes from './certificates.module.css';

/** A link of a chain: a certificate's name, and the end of its validity. */
export interface ChainLink {
  readonly name: string;
  readonly notAfter: string;
  readonly fingerprint: string;
}

/** The chain as a tree with the root on top: each certificate is below its issuer. */
export function ChainTree({ chain }: { readonly chain: readonly ChainLink[] }) {
  const { t } = useTranslation();
  const fromRoot = chain.toReversed();
  if (fromRoot.length === 0) return <>{t('certificates.drawer.chainNone')}</>;
  return <Branch links={fromRoot} />;
}

function Branch({ links }: { readonly links: readonly ChainLink[] }) {
  const { t, i18n } = useTranslation();
  const [first, ...rest] = links;
  if (first === undefined) return null;
  return (
    <ul className={classes.tree}>
      <li>
        <span className={classes.wrap} data-leaf={rest.length === 0}>
          {withoutNumber(first.name)}
        </span>
        <span className={classes.chainUntil}>
          {rest.length === 0 ? `${t('certificates.drawer.thisOne')}, ` : ''}
          {t('certificates.until', { day: formatDay(first.notAfter, i18n.language) })}
        </span>
        <Branch links={rest} />
      </li>
    </ul>
  );
}
