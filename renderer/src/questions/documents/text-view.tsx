import { Button, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { splitUnseen } from '../../../../src/text/visible-text.ts';
import type { OriginalInspection } from '../../../../src/ui-contract/ui-contract.ts';
import { Notice } from '../../components/notice.tsx';
import { useCore } from '../../data/core-context.ts';
import { formatSize } from '../../format/format.ts';
import classes from './documents.module.css';
import { originalBytes, type OriginalPlace } from './original-bytes.ts';

interface TextViewProps {
  readonly place: OriginalPlace;
  readonly encoding: NonNullable<OriginalInspection['encoding']>;
}

/** Bytes shown at first, and added by each click. */
const step = 128 * 1024;

/** An unchanged text, with marks for invisible characters. Markup is shown as text and never interpreted. */
export function TextView({ place, encoding }: TextViewProps) {
  const { t, i18n } = useTranslation();
  const { bridge } = useCore();
  const { tcn, documentId, size, partSize } = place;
  const [end, setEnd] = useState(Math.min(step, size));
  const [text, setText] = useState<string | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    let gone = false;
    originalBytes(bridge, { tcn, documentId, size, partSize })
      .read(0, end)
      .then(
        (bytes) => {
          // A byte order mark is kept, so that it can be marked.
          const decoder = new TextDecoder(encoding, { ignoreBOM: true });
          if (!gone) setText(decoder.decode(bytes, { stream: end < size }).replaceAll('\r\n', '\n'));
        },
        () => {
          if (!gone) setHasFailed(true);
        },
      );
    return () => {
      gone = true;
    };
  }, [bridge, tcn, documentId, size, partSize, encoding, end]);
  if (hasFailed) return <Notice kind="error">{t('approval.notRead')}</Notice>;
  if (size === 0) return <Notice kind="information">{t('approval.emptyDocument')}</Notice>;
  if (text === null) return <Loader role="img" aria-label={t('common.loading')} />;
  return (
    <>
      <pre className={classes.text} tabIndex={0} dir="auto">
        {splitUnseen(text, '\n\t').map((part, index) =>
          part.isMark ? (
            // The parts of a text never change their order.
            <mark key={index}>{part.text}</mark>
          ) : (
            part.text
          ),
        )}
      </pre>
      {end < size ? (
        <Button size="xs" variant="subtle" onClick={() => setEnd(Math.min(size, end + step))}>
          {t('approval.moreText', { size: formatSize(size - end, i18n.language) })}
        </Button>
      ) : null}
    </>
  );
}
