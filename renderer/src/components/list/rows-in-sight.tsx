import { useLayoutEffect, useRef, useState, type ReactNode, type UIEvent } from 'react';
import classes from './list.module.css';

interface RowsInSightProps<Item> {
  readonly items: readonly Item[];
  readonly label: string;
  readonly keyOf: (item: Item) => number | string;
  readonly children: (item: Item) => ReactNode;
}

/** Rows drawn above and below the visible rows, so that the next rows exist already when the user scrolls or tabs. */
const margin = 6;

/**
 * A list of any length with only the visible rows drawn, so that hundreds of files cost no more than a dozen. All rows
 * have the height of the style sheet (`--row-height`).
 */
export function RowsInSight<Item>({ items, label, keyOf, children }: RowsInSightProps<Item>) {
  const frame = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ top: 0, height: 400, row: 68 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = (): void => {
      const row = Number.parseFloat(getComputedStyle(element, '::before').height);
      const height = element.clientHeight;
      setPlace((before) => ({ ...before, height, row: row > 0 ? row : before.row }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const onScroll = ({ currentTarget }: UIEvent<HTMLElement>): void => {
    const top = currentTarget.scrollTop;
    // Rounded to whole rows, so that scrolling within a row redraws nothing.
    setPlace((before) =>
      Math.floor(before.top / before.row) === Math.floor(top / before.row) ? before : { ...before, top },
    );
  };
  const first = Math.max(0, Math.floor(place.top / place.row) - margin);
  const last = Math.min(items.length, Math.ceil((place.top + place.height) / place.row) + margin);
  return (
    <div ref={frame} className={classes.scroll} tabIndex={0} role="group" aria-label={label} onScroll={onScroll}>
      <ul className={classes.rowsInSight} style={{ height: items.length * place.row }} aria-label={label}>
        {items.slice(first, last).map((item, index) => (
          <li
            key={keyOf(item)}
            className={classes.rowInSight}
            style={{ top: (first + index) * place.row }}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}
