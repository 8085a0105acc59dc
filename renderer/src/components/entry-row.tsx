import type { Icon } from '../icons/icon.ts';
import type { ReactNode } from 'react';
import classes from './entry-row.module.css';

interface EntryRowProps {
  /** What stands at its start: an icon, or a picture of its own. */
  readonly sign?: ReactNode;
  /** Whether much is said of it, so that the sign belongs to the first lines. */
  readonly tall?: boolean;
  /** Whether it is the chosen one of the list. */
  readonly isCurrent?: boolean;
  /** What can be done with it, at its end. */
  readonly actions?: ReactNode;
  /** What takes the whole width below. */
  readonly below?: ReactNode;
  /** What is known of it. */
  readonly children: ReactNode;
}

/** A row about one thing: its sign, what is known of it, and what can be done with it. */
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
export function EntryIcon({ icon: Icon }: { readonly icon: Icon }) {
  return (
    <span className={classes.icon}>
      <Icon size={22} aria-hidden />
    </span>
  );
}
