import { Menu } from '@mantine/core';
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
import { useTranslation } from 'react-i18next';
import { hrefOf, type Route } from './route.ts';
import classes from './shell.module.css';

interface Page {
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
        <li className={classes.narrowOnly}>
          <MorePages route={route} />
        </li>
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

/** Says which page it is when that is one of its own. */
function MorePages({ route }: { readonly route: Route }) {
  const { t } = useTranslation();
  const current = seldom.find((page) => page.route === route);
  return (
    <Menu position="top-end" width={220} shadow="lg" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className={classes.link} data-current={current !== undefined}>
          <Ellipsis size={20} aria-hidden />
          {t('app.more')}
        </button>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('app.more')}>
        {seldom.map((page) => (
          <Menu.Item
            key={page.route}
            component="a"
            href={hrefOf(page.route)}
            aria-current={page === current ? 'page' : undefined}
            leftSection={<page.icon size={18} aria-hidden />}
          >
            {t(`app.${page.route}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
