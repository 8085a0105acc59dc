import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';

/** Properties of a row's handle for dragging with mouse, pen or finger. */
interface HandleProps {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: (event: PointerEvent) => void;
  readonly onPointerCancel: () => void;
}

/** Properties of a draggable row. */
export interface DragRow {
  readonly row: {
    readonly 'data-server': string;
    readonly 'data-dragged': boolean;
    readonly 'data-target': 'before' | 'after' | undefined;
    readonly style: { readonly transform: string } | undefined;
  };
  readonly handle: HandleProps;
}

/** A row that is being dragged. Places are in CSS pixels from the top of the list. */
interface Drag {
  readonly id: string;
  readonly pointer: number;
  /** The pointer's start. */
  readonly from: number;
  /** The row's start. */
  readonly top: number;
  readonly bottom: number;
  /** The middle positions of the rows above, and of the rows below. */
  readonly above: readonly number[];
  readonly below: readonly number[];
  /** The distance from the row's place. */
  readonly down: number;
  /** The row's present new position among the other rows. */
  readonly place: number;
}

/** The order of the time-stamp servers, changed by dragging a row or by a step. Moves are announced. */
export function useOrder(ids: readonly string[]) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [told, setTold] = useState('');
  const [drag, setDrag] = useState<Drag | null>(null);
  // A ref, because two events may arrive before the page is drawn again.
  const held = useRef<Drag | null>(null);
  const hold = (next: Drag | null): void => {
    held.current = next;
    setDrag(next);
  };
  const isHeld = drag !== null;
  useEffect(() => {
    if (!isHeld) return;
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') hold(null);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isHeld]);
  const move = async (id: string, position: number): Promise<void> => {
    const others = ids.filter((one) => one !== id);
    const place = Math.min(Math.max(position, 0), others.length);
    const order = [...others.slice(0, place), id, ...others.slice(place)];
    if (order.every((one, index) => one === ids[index])) return;
    const result = await bridge.call('tsa.reorder', { ids: order });
    queries.refresh('tsa.list');
    if (result.ok) setTold(t('operation.order.moved', { name: id, position: place + 1 }));
    else toasts.failed(result.error);
  };
  const rowProps = (id: string): DragRow => ({
    row: {
      'data-server': id,
      'data-dragged': drag?.id === id,
      'data-target': drag === null ? undefined : markOf(id, drag, ids),
      style: drag?.id === id ? { transform: `translateY(${drag.down}px)` } : undefined,
    },
    handle: {
      onPointerDown: (event) => {
        if (event.button !== 0 || held.current !== null) return;
        // Prevents the browser from selecting text.
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        hold(begun(event, id));
      },
      onPointerMove: (event) => {
        if (held.current?.pointer === event.pointerId) hold(moved(event, held.current));
      },
      onPointerUp: (event) => {
        if (held.current?.pointer !== event.pointerId) return;
        const { place } = moved(event, held.current);
        hold(null);
        void move(id, place);
      },
      onPointerCancel: () => hold(null),
    },
  });
  return { told, move, rowProps };
}

/** The distance of a point of the window from the top of the list, independent of scrolling. */
function inList(element: Element, y: number): number {
  return y - (element.closest('ul, ol')?.getBoundingClientRect().top ?? 0);
}

function begun({ currentTarget, clientY, pointerId }: PointerEvent, id: string): Drag {
  const rows = [...(currentTarget.closest('ul, ol')?.querySelectorAll(':scope > [data-server]') ?? [])];
  const places = rows.map((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return { top: inList(row, top), bottom: inList(row, bottom) };
  });
  const place = rows.findIndex((row) => row.getAttribute('data-server') === id);
  const middles = places.map(({ top, bottom }) => (top + bottom) / 2);
  return {
    id,
    place,
    pointer: pointerId,
    from: inList(currentTarget, clientY),
    down: 0,
    ...(places[place] ?? { top: 0, bottom: 0 }),
    above: middles.slice(0, place),
    below: middles.slice(place + 1),
  };
}

/** A row takes the place of another row after covering its half. */
function moved({ currentTarget, clientY }: PointerEvent, drag: Drag): Drag {
  const down = inList(currentTarget, clientY) - drag.from;
  const passed =
    drag.above.filter((middle) => middle < drag.top + down).length +
    drag.below.filter((middle) => middle < drag.bottom + down).length;
  return { ...drag, down, place: passed };
}

/** The side of a row for the dragged row. */
function markOf(id: string, { id: dragged, place }: Drag, ids: readonly string[]): 'before' | 'after' | undefined {
  if (place === ids.indexOf(dragged)) return undefined;
  const others = ids.filter((one) => one !== dragged);
  if (others[place] === id) return 'before';
  return place === others.length && others.at(-1) === id ? 'after' : undefined;
}
