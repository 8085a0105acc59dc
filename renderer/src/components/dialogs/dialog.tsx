import { Drawer, Modal, type ModalRootProps } from '@mantine/core';
import { useContext, useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CoveredContext } from './covered-context.ts';
import classes from './dialog.module.css';

const surface = { content: classes.content ?? '' };

/** Returns the focus to its earlier element when the dialog closes; a dialog is mounted when it opens. */
function useReturnedFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
}

interface DialogProps {
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  readonly size?: string;
  /** Above all other dialogs. */
  readonly onTop?: boolean;
  /** Text beside the title: a position in a line, for example. */
  readonly aside?: string;
  readonly closeLabel?: string;
  /** True if a click outside closes the dialog; false if typed text would be lost. */
  readonly closeOnClickOutside?: boolean;
}

/**
 * A modal dialog: titled, focused, closed by Escape. Its head is not a `header` element, because a screen reader would
 * announce a header as a second banner of the page.
 */
export function Dialog(props: DialogProps) {
  const { onClose, title, children, onTop = false, aside, closeLabel } = props;
  const { t } = useTranslation();
  const covered = useContext(CoveredContext);
  useReturnedFocus();
  const root: Partial<ModalRootProps> = onTop ? { zIndex: 400 } : { closeOnEscape: !covered };
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={props.size ?? 'md'}
      centered
      classNames={surface}
      closeOnClickOutside={props.closeOnClickOutside ?? false}
      {...root}
    >
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content radius="lg">
        <div className={classes.head}>
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          {aside === undefined ? null : <span className={classes.aside}>{aside}</span>}
          <Modal.CloseButton aria-label={closeLabel ?? t('common.close')} />
        </div>
        <Modal.Body className={classes.body}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface SidePanelProps {
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
}

/** A panel at the side of the window, for reading. */
export function SidePanel({ onClose, title, children }: SidePanelProps) {
  const { t } = useTranslation();
  const covered = useContext(CoveredContext);
  useReturnedFocus();
  return (
    <Drawer.Root classNames={surface} opened onClose={onClose} position="right" size="lg" closeOnEscape={!covered}>
      <Drawer.Overlay backgroundOpacity={0.5} />
      <Drawer.Content>
        <div className={classes.head}>
          <Drawer.Title className={classes.title}>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label={t('common.close')} />
        </div>
        <Drawer.Body className={classes.body}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
