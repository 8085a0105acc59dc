import { ActionIcon, Menu } from '@mantine/core';
import { EllipsisVertical, type IconComponent } from '../icons/index.ts';
import type { ReactNode } from 'react';

interface RowMenuProps {
  /** The accessible name: the row of these actions. */
  readonly name: string;
  readonly children: ReactNode;
}

/** The less frequent actions of a row, behind three dots. */
export function RowMenu({ name, children }: RowMenuProps) {
  return (
    <Menu position="bottom-end" shadow="lg" withInitialFocusPlaceholder={false} portalProps={{ target: '#content' }}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={name}>
          <EllipsisVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={name}>{children}</Menu.Dropdown>
    </Menu>
  );
}

interface RowMenuItemProps {
  readonly icon: IconComponent;
  /** True for a destructive action. */
  readonly danger?: boolean;
  readonly onClick: () => void;
  readonly children: string;
}

/** An action behind the three dots. */
export function RowMenuItem({ icon: Icon, danger = false, onClick, children }: RowMenuItemProps) {
  return (
    <Menu.Item
      leftSection={<Icon size={16} aria-hidden />}
      onClick={onClick}
      {...(danger ? { c: 'var(--mantine-color-error)' } : {})}
    >
      {children}
    </Menu.Item>
  );
}
