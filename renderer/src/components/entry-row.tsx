import type { IconComponent } from './icons/index.ts';
import type { ReactNode } from 'react';
import classes from './entry-row.module.css';

interface EntryRowProps {
  /** The start of the row: an icon or a picture. */
  readonly sign?: ReactNode;
  /** True for a row with several lines: the icon belongs to the first lines. */
  readonly tall?: boolean;
  /** True for the selected row of the list. */
  readonly isCurrent?: boolean;
  /** Actions at the end of the row. */
  readonly actions?: ReactNode;
  /** Content below, across the whole width. */
  readonly below?: ReactNode;
  /** The facts of the row. */
  readonly children: ReactNode;
}

/** A row about a thing: its icon, its facts, and its actions. */
export function EntryRow({ sign, tall = false, isCurrent = false, actions, below, children }: EntryRowProps) {
  return (
    <li className={classes.row} data-tall={tall} {...(isCurrent ? { 'aria-current': true } : {})}>
      {sign}
      <div className={classes.text}>{children}</div>
      {actions === undefined || actions === null ? null : <div className={classes.actions}>{actions}</div>}
      {below}
    </li>
  );
}

/** An icon as the sign of a row. */
export function EntryIcon({ icon: Icon }: { readonly icon: IconComponent }) {
  return (
    <span className={classes.icon}>
      <Icon size={22} aria-hidden />
    </span>
  );
}
