import {
  CalendarClock,
  Globe,
  History,
  House,
  IdCard,
  PenLine,
  Settings,
  ShieldCheck,
  Stethoscope,
  UsersRound,
  type IconComponent,
} from '../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSoon } from '../late.tsx';
import { MoreButton } from './more-button.tsx';
import type { Page } from './page.ts';
import { hrefOf, type Route } from '../route.ts';
import classes from './shell.module.css';
import { useIsNarrow } from './use-is-narrow.ts';

/** Pages that guide the user step by step and are not part of the navigation. */
type Unlisted = 'first-run';

/** The icon of each page, in the order of the navigation. */
const icons: Readonly<Record<Exclude<Route, Unlisted>, IconComponent>> = {
  home: House,
  sign: PenLine,
  validate: ShieldCheck,
  history: History,
  certificates: IdCard,
  renewals: CalendarClock,
  users: UsersRound,
  sites: Globe,
  settings: Settings,
  doctor: Stethoscope,
};
const pages = (Object.keys(icons) as (keyof typeof icons)[]).map((route): Page => ({ route, icon: icons[route] }));
/** Number of pages that fit at the foot of a narrow window. */
const roomAtFoot = 4;

/** Pages at the foot of a narrow window. */
const often = pages.slice(0, roomAtFoot);

/** Pages in the menu of a narrow window. */
const seldom = pages.slice(roomAtFoot);

/** The navigation: all pages at the side, or, in a narrow window, the main pages at the foot and a menu with the others. */
export function Navigation({ route }: { readonly route: Route }) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  return (
    <nav className={classes.navigation} aria-label={t('app.navigation')}>
      <ul>
        {often.map((page) => (
          <li key={page.route}>
            <PageLink page={page} name={t(`app.${page.route}`)} isCurrent={page.route === route} />
          </li>
        ))}
        {seldom.map((page) => (
          <li key={page.route} className={classes.wideOnly}>
            <PageLink page={page} name={t(`app.${page.route}`)} isCurrent={page.route === route} />
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

interface PageLinkProps {
  readonly page: Page;
  readonly name: string;
  readonly isCurrent: boolean;
}

function PageLink({ page, name, isCurrent }: PageLinkProps) {
  return (
    <a href={hrefOf(page.route)} className={classes.link} aria-current={isCurrent ? 'page' : undefined}>
      <page.icon size={20} aria-hidden />
      {name}
    </a>
  );
}

function isSeldom(route: Route): boolean {
  return seldom.some((page) => page.route === route);
}

/** The menu of the other pages. Its button is marked as current if the current page is in the menu. */
function MorePages({ route }: { readonly route: Route }) {
  const [isAsked, setAsked] = useState(false);
  const { parts } = useSoon();
  return parts === null ? (
    <MoreButton isCurrent={isSeldom(route)} aria-haspopup="menu" onClick={() => setAsked(true)} />
  ) : (
    <parts.MoreMenu pages={seldom} route={route} isOpened={isAsked} />
  );
}
