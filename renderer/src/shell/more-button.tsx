import { Ellipsis } from '../components/icons/index.ts';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './shell.module.css';

interface MoreButtonProps extends ComponentProps<'button'> {
  readonly isCurrent: boolean;
}

/** The button of the menu with the other pages. The menu is loaded late; a click before that opens it when it is loaded. */
export function MoreButton({ isCurrent, className = '', ...rest }: MoreButtonProps) {
  const { t } = useTranslation();
  return (
    <button type="button" {...rest} className={`${classes.link ?? ''} ${className}`} data-current={isCurrent}>
      <Ellipsis size={20} aria-hidden />
      {t('app.more')}
    </button>
  );
}
