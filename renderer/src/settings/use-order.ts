import { useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useToasts } from '../components/toasts.tsx';
import { useCore } from '../data/core-context.ts';

/** What a row needs to be dragged to another place. */
export interface DragRow {
  readonly draggable: boolean;
  readonly 'data-dragged': boolean;
  readonly 'data-target': 'before' | 'after' | undefined;
  readonly onDragStart: (event: DragEvent) => void;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDrop: (event: DragEvent) => void;
  readonly onDragEnd: () => void;
}

/** The order of the time-stamp servers, changed by dragging a row or by a step. What is moved is told. */
export function useOrder(ids: readonly string[]) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [told, setTold] = useState('');
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
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
  const end = (): void => {
    setDragged(null);
    setOver(null);
  };
  const rowProps = (id: string): DragRow => ({
    draggable: true,
    'data-dragged': dragged === id,
    'data-target':
      over !== id || dragged === null || dragged === id
        ? undefined
        : ids.indexOf(dragged) < ids.indexOf(id)
          ? 'after'
          : 'before',
    onDragStart: (event) => {
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', id);
      setDragged(id);
    },
    onDragOver: (event) => {
      if (dragged === null) return;
      event.preventDefault();
      setOver(id);
    },
    onDrop: (event) => {
      event.preventDefault();
      if (dragged !== null) void move(dragged, ids.indexOf(id));
      end();
    },
    onDragEnd: end,
  });
  return { told, move, rowProps };
}
