import { Title } from '@mantine/core';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasComeFromAnotherPage } from '../route.ts';
import classes from './page.module.css';

interface PageHeaderProps {
  readonly title: string;
  readonly subtitle?: string;
  readonly actions?: ReactNode;
}

/**
 * A page's title and its actions. After a change of page the title takes the focus, so that a screen reader announces
 * the page; at the start the focus stays at the beginning, before the link that skips the navigation.
 */
export function PageHeader({ title, subtitle, actions }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // An open dialog keeps the focus.
    if (!hasComeFromAnotherPage() || document.querySelector('[role="dialog"]') !== null) return;
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={classes.header}>
      <div>
        <h1 ref={heading} tabIndex={-1} className={classes.title}>
          {title}
        </h1>
        {subtitle === undefined ? null : <p className={classes.subtitle}>{subtitle}</p>}
      </div>
      {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly side?: ReactNode;
  readonly children: ReactNode;
  /** True for no padding: the rows of a list have their own. */
  readonly flush?: boolean;
}

/** A titled card. */
export function Section({ title, side, children, flush = false }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.cardHead}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {side}
      </div>
      {flush ? children : <div className={classes.cardBody}>{children}</div>}
    </section>
  );
}

/** Rows of a card. */
export function Rows({ children, label }: { readonly children: ReactNode; readonly label?: string }) {
  return (
    <ul className={classes.rows} {...{ 'aria-label': label }}>
      {children}
    </ul>
  );
}

/** The text of an empty card. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <div className={classes.empty}>{children}</div>;
}

/** Names and values. */
export function Fields({ children }: { readonly children: ReactNode }) {
  return <dl className={classes.fields}>{children}</dl>;
}

/** A name with its value. */
export function Field({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A placeholder for rows. Plain elements, because the first frame contains it. */
export function RowsPlaceholder() {
  const { t } = useTranslation();
  return (
    <div className={classes.placeholder} role="status" aria-label={t('common.loading')}>
      <div />
      <div />
    </div>
  );
}
