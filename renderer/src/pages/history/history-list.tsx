import { memo, useDeferredValue, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryDocument } from '../../../../src/ui-contract/history-calls.ts';
import { DocumentStatus } from '../../components/transaction-status.tsx';
import { useQuery } from '../../data/core-context.ts';
import { formatInstant } from '../../format/format.ts';
import type { HistoryFilter } from './history-filter.ts';
import classes from './history.module.css';
import { ShownName } from '../../components/text/shown-name.tsx';
import { useRequesterName } from '../../components/text/use-requester-name.ts';

/** Rows requested and drawn together. */
export const chunkSize = 25;
/** Height of a row; the style sheet has the same. */
const rowHeightInRem = 3.75;

interface HistoryListProps {
  readonly filter: HistoryFilter;
  readonly total: number;
  readonly onOpen: (document: HistoryDocument) => void;
}

/** All rows of the filter, in any number: only visible rows and a few more are drawn. Arrow keys move between rows. */
export function HistoryList({ filter, total, onOpen }: HistoryListProps) {
  const { t } = useTranslation();
  const { frame, first, last, rowHeight, onScroll } = useChunksInSight(total);
  const chunks = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return (
    <div
      ref={frame}
      className={classes.frame}
      role="group"
      aria-label={t('history.list')}
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={moveBetweenRows}
    >
      <div role="table" aria-label={t('history.list')} aria-rowcount={total + 1}>
        <div role="rowgroup" className={classes.headGroup}>
          <div role="row" aria-rowindex={1} className={classes.headRow}>
            <span role="columnheader">{t('history.document')}</span>
            <span role="columnheader" className={classes.wideOnly}>
              {t('history.type')}
            </span>
            <span role="columnheader" className={classes.wideOnly}>
              {t('history.when')}
            </span>
            <span role="columnheader">{t('history.status')}</span>
          </div>
        </div>
        <div role="presentation" className={classes.rows} style={{ height: total * rowHeight }}>
          {chunks.map((chunk) => (
            <Chunk
              key={chunk}
              filter={filter}
              offset={chunk * chunkSize}
              top={chunk * chunkSize * rowHeight}
              onOpen={onOpen}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

function useChunksInSight(total: number) {
  const frame = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ top: 0, height: 600 });
  const rowHeight = useRowHeight();
  const measure = (): void => {
    const element = frame.current;
    if (element === null) return;
    const next = { top: element.scrollTop, height: element.clientHeight };
    setPlace((before) => (before.top === next.top && before.height === next.height ? before : next));
  };
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const chunkHeight = chunkSize * rowHeight;
  const lastChunk = Math.max(0, Math.ceil(total / chunkSize) - 1);
  const margin = place.height / 2;
  const first = Math.min(lastChunk, Math.max(0, Math.floor((place.top - margin) / chunkHeight)));
  const last = Math.min(lastChunk, Math.floor((place.top + place.height + margin) / chunkHeight));
  return { frame, first, last: Math.max(first, last), rowHeight, onScroll: measure };
}

/** In pixels; follows the browser's text size. */
function useRowHeight(): number {
  const [size] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  return rowHeightInRem * (Number.isNaN(size) ? 16 : size);
}

interface ChunkProps {
  readonly filter: HistoryFilter;
  readonly offset: number;
  /** Pixels. */
  readonly top: number;
  readonly onOpen: (document: HistoryDocument) => void;
}

const Chunk = memo(function Chunk({ filter, offset, top, onOpen }: ChunkProps) {
  const answer = useQuery('history.documents', { ...filter, offset, limit: chunkSize });
  // New rows are drawn with low priority, so that scrolling stays smooth.
  const page = useDeferredValue(answer.value);
  if (page === null || page.documents.length === 0) return null;
  return (
    <div role="rowgroup" className={classes.chunk} style={{ top }}>
      {page.documents.map((entry, index) => (
        <Row key={`${entry.tcn} ${entry.document.id}`} entry={entry} position={offset + index} onOpen={onOpen} />
      ))}
    </div>
  );
});

interface RowProps {
  readonly entry: HistoryDocument;
  readonly position: number;
  readonly onOpen: (document: HistoryDocument) => void;
}

const Row = memo(function Row({ entry, position, onOpen }: RowProps) {
  const { t, i18n } = useTranslation();
  const requesterName = useRequesterName();
  const { document, type, createdAt, waitingFor, batch } = entry;
  const { name } = document;
  const when = formatInstant(createdAt, i18n.language);
  return (
    // Keyboard and screen reader use the button; the whole row is a larger target for the pointer.
    <div role="row" aria-rowindex={position + 2} className={classes.row} onClick={() => onOpen(entry)}>
      <div role="cell" className={classes.name}>
        <button
          type="button"
          className={classes.open}
          aria-label={t('history.details', { name })}
          onClick={(event) => {
            event.stopPropagation();
            onOpen(entry);
          }}
        >
          <ShownName name={name} />
        </button>
        <span className={classes.second}>
          <time dateTime={createdAt} className={classes.narrowOnly}>
            {when}
            {' · '}
          </time>
          <ShownName name={requesterName(entry)} />
          {batch > 1 ? ` · ${t('history.ofBatch', { count: batch })}` : null}
        </span>
      </div>
      <span role="cell" className={classes.wideOnly}>
        {type}
      </span>
      <span role="cell" className={classes.wideOnly}>
        <time dateTime={createdAt}>{when}</time>
      </span>
      <span role="cell" className={classes.status}>
        <DocumentStatus status={document.status} waitingFor={waitingFor} />
      </span>
    </div>
  );
});

/** Arrow keys work across pages, because the next rows are drawn in advance. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('[role="row"] button')];
  const present = buttons.findIndex((button) => button === document.activeElement);
  if (present < 0) return;
  const next = buttons[present + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus({ preventScroll: true });
  next.closest('[role="row"]')?.scrollIntoView({ block: 'nearest' });
}
