import { useId, useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Box, Size } from '../../../components/pdf/page-size.ts';
import { afterKey, millimetres, moved, resized } from './geometry.ts';
import classes from './stamp.module.css';

interface StampBoxProps {
  /** The stamp of the signature, or the initials of a further page. */
  readonly kind: 'stamp' | 'initials';
  readonly box: Box;
  readonly page: Size;
  /** CSS pixels per point. */
  readonly scale: number;
  readonly onChange: (box: Box) => void;
  /** The content of the stamp. */
  readonly children: ReactNode;
}

interface Drag {
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
  readonly from: Box;
  readonly change: typeof moved;
}

/**
 * The stamp on its page: dragged with mouse or finger, resized by its corner, and both with the arrow keys. The stamp
 * never leaves the page.
 */
export function StampBox({ kind, box, page, scale, onChange, children }: StampBoxProps) {
  const { t } = useTranslation();
  const help = useId();
  const handlersOf = useDrag({ box, page, scale, onChange });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const next = afterKey(box, event, page);
    if (next === null) return;
    event.preventDefault();
    onChange(next);
  };
  const place = { left: box.left * scale, top: box.top * scale, width: box.width * scale, height: box.height * scale };
  const values = {
    left: millimetres(box.left),
    top: millimetres(box.top),
    width: millimetres(box.width),
    height: millimetres(box.height),
  };
  return (
    <>
      <div
        className={classes.box}
        style={place}
        role="application"
        tabIndex={0}
        aria-roledescription={t(`stamp.movable.${kind}`)}
        aria-label={t(`stamp.onPage.${kind}`, values)}
        aria-describedby={help}
        onKeyDown={onKeyDown}
        {...handlersOf(moved)}
      >
        {children}
        <span className={classes.handle} aria-hidden {...handlersOf(resized)} />
      </div>
      <span id={help} hidden>
        {t('stamp.keys')}
      </span>
      <span className={classes.spoken} role="status">
        {t('stamp.values', values)}
      </span>
    </>
  );
}

/** Handlers for dragging the box. A press on the handle also reaches the box, which must not begin a second drag. */
function useDrag({ box, page, scale, onChange }: Omit<StampBoxProps, 'kind' | 'children'>) {
  const drag = useRef<Drag | null>(null);
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const held = drag.current;
    if (held === null || held.pointer !== event.pointerId) return;
    onChange(held.change(held.from, (event.clientX - held.x) / scale, (event.clientY - held.y) / scale, page));
  };
  const end = (): void => {
    drag.current = null;
  };
  return (change: typeof moved) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (event.button !== 0 || drag.current !== null) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { pointer: event.pointerId, x: event.clientX, y: event.clientY, from: box, change };
    },
    onPointerMove,
    onPointerUp: end,
    onPointerCancel: end,
  });
}
