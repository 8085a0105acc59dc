import { Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

interface NoticeProps {
  readonly kind: 'information' | 'warning' | 'error';
  readonly title?: string;
  readonly children: ReactNode;
  /** Read out at once by a screen reader: for notices after an action. */
  readonly alert?: boolean;
}

const icons = { information: Info, warning: TriangleAlert, error: OctagonAlert };

/** Something to know before going on. */
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
