import {
  Ellipsis,
  Globe,
  History,
  House,
  IdCard,
  PenLine,
  Settings,
  ShieldCheck,
  Stethoscope,
  UsersRound,
  type LucideIcon,
} from 'lucide-react';
import { Suspense, useState, type ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { soon } from '../late.tsx';
import { hrefOf, type Route } from './route.ts';
import classes from './shell.module.css';
import { useIsNarrow } from './use-is-narrow.ts';

/** A page that the navigation leads to. */
export interface Page {
  readonly route: Route;
  readonly icon: LucideIcon;
}

/** What a narrow window shows at its foot. */
const often: readonly Page[] = [
  { route: 'home', icon: House },
  { route: 'sign', icon: PenLine },
  { route: 'validate', icon: ShieldCheck },
  { route: 'history', icon: History },
];

/** What a narrow window keeps in a menu. */
const seldom: readonly Page[] = [
  { route: 'certificates', icon: IdCard },
  { route: 'users', icon: UsersRound },
  { route: 'sites', icon: Globe },
  { route: 'settings', icon: Settings },
  { route: 'doctor', icon: Stethoscope },
];

/** The pages: all of them at the side, or the usual ones at the foot of a narrow window with a menu of the others. */
export function Navigation({ route }: { readonly route: Route }) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  return (
    <nav className={classes.navigation} aria-label={t('app.navigation')}>
      <ul>
        {often.map((page) => (
          <li key={page.route}>
            <PageLink page={page} isCurrent={page.route === route} />
          </li>
        ))}
        {seldom.map((page) => (
          <li key={page.route} className={classes.wideOnly}>
            <PageLink page={page} isCurrent={page.route === route} />
          </li>
        ))}
        {isNarrow ? (
          <li>
            <MorePages route={route} />
          </li>
        ) : null}
      </ul>
    </nav>
  );
}

function PageLink({ page, isCurrent }: { readonly page: Page; readonly isCurrent: boolean }) {
  const { t } = useTranslation();
  return (
    <a href={hrefOf(page.route)} className={classes.link} aria-current={isCurrent ? 'page' : undefined}>
      <page.icon size={20} aria-hidden />
      {t(`app.${page.route}`)}
    </a>
  );
}

const MoreMenu = soon(
  (parts) => parts.MoreMenu,
  ({ route }) => <MoreButton isCurrent={isSeldom(route)} />,
);

function isSeldom(route: Route): boolean {
  return seldom.some((page) => page.route === route);
}

/** Says which page it is when that is one of its own. */
function MorePages({ route }: { readonly route: Route }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <Suspense fallback={<MoreButton isCurrent={isSeldom(route)} aria-haspopup="menu" onClick={() => setAsked(true)} />}>
      <MoreMenu pages={seldom} route={route} isOpened={isAsked} />
    </Suspense>
  );
}

interface MoreButtonProps extends ComponentProps<'button'> {
  readonly isCurrent: boolean;
}

/**
 * The button of the other pages. Its menu comes late, and opens if it was asked for before; classes that the menu gives
 * are added to its own.
 */
export function MoreButton({ isCurrent, className = '', ...rest }: MoreButtonProps) {
  const { t } = useTranslation();
  return (
    <button type="button" {...rest} className={`${classes.link ?? ''} ${className}`} data-current={isCurrent}>
      <Ellipsis size={20} aria-hidden />
      {t('app.more')}
    </button>
  );
}
