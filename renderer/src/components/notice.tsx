import { Info, OctagonAlert, TriangleAlert } from './icons/index.ts';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

interface NoticeProps {
  readonly kind: 'information' | 'warning' | 'error';
  readonly title?: string;
  readonly children: ReactNode;
  /** True for notices after an action: a screen reader announces them at once. */
  readonly alert?: boolean;
}

const icons = { information: Info, warning: TriangleAlert, error: OctagonAlert };

/** Important information before the user continues. */
export function Notice({ kind, title, children, alert = false }: NoticeProps) {
  const Icon = icons[kind];
  return (
    <div className={classes.notice} data-kind={kind} {...(alert ? { role: 'alert' } : {})}>
      <Icon size={20} aria-hidden />
      <div className={classes.text}>
        {title === undefined ? null : <strong>{title}</strong>}
        <div>{children}</div>
      </div>
    </div>
  );
}
