import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MoreButton } from './more-button.tsx';
import type { Page } from './page.ts';
import { hrefOf, type Route } from '../route.ts';

interface MoreMenuProps {
  readonly pages: readonly Page[];
  readonly route: Route;
  /** True if the menu is open when first shown. */
  readonly isOpened: boolean;
}

/** The button, with a menu of the pages that have no room in a narrow window. */
export function MoreMenu({ pages, route, isOpened }: MoreMenuProps) {
  const { t } = useTranslation();
  const current = pages.find((page) => page.route === route);
  return (
    <Menu
      defaultOpened={isOpened}
      position="top-end"
      width={220}
      shadow="lg"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <MoreButton isCurrent={current !== undefined} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('app.more')}>
        {pages.map((page) => (
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
