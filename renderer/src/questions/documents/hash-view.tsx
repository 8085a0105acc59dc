import { Button, FileButton, Text } from '@mantine/core';
import { useCallback, useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/notice.tsx';
import { useFileDrop } from '../../components/use-file-drop.ts';
import { formatSize } from '../../format/format.ts';
import { nameOfDigest } from '../../format/digest.ts';
import type { ApprovalDocument } from './approval-document.ts';
import classes from './documents.module.css';

type GivenHash = NonNullable<ApprovalDocument['hash']>;

/** Most bytes of a file to compare: the browser hashes a file as a whole, in memory. */
const MOST = 512 * 2 ** 20;

const webNames: Readonly<Record<GivenHash['digest'], string>> = {
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
};

type Comparison =
  | { readonly state: 'reading' | 'same' | 'other' | 'failed'; readonly name: string }
  | { readonly state: 'too-large'; readonly name: string; readonly size: number };

interface HashViewProps {
  readonly hash: GivenHash;
}

/** A place to compare the hash of a document that is not here with that of a file. */
export function HashView({ hash }: HashViewProps) {
  const { t, i18n } = useTranslation();
  const { result, compare } = useComparison(hash);
  const { over, handlers } = useFileDrop(useCallback((files) => void compare(files[0]), [compare]));
  const algorithm = nameOfDigest(hash.digest);
  return (
    <div className={classes.hashView}>
      <div
        className={classes.hashDrop}
        data-over={over}
        onDragOver={alone(handlers.onDragOver)}
        onDragLeave={alone(handlers.onDragLeave)}
        onDrop={alone(handlers.onDrop)}
      >
        <Text size="sm">{t('approval.hash.compare')}</Text>
        <FileButton onChange={(file) => void compare(file ?? undefined)}>
          {(props) => (
            <Button {...props} variant="default" size="xs">
              {t('approval.hash.choose')}
            </Button>
          )}
        </FileButton>
      </div>
      {result === null ? null : <Result result={result} language={i18n.language} algorithm={algorithm} />}
    </div>
  );
}

/** The window behind the question accepts files for signing: a file for comparing must not reach it. */
const alone =
  (handler: (event: DragEvent) => void) =>
  (event: DragEvent): void => {
    event.stopPropagation();
    handler(event);
  };

interface ResultProps {
  readonly result: Comparison;
  readonly algorithm: string;
  readonly language: string;
}

function Result({ result, algorithm, language }: ResultProps) {
  const { t } = useTranslation();
  const { name } = result;
  switch (result.state) {
    case 'reading':
      return <Text size="sm">{t('approval.hash.reading', { name })}</Text>;
    case 'same':
      return (
        <Notice kind="information" alert>
          {t('approval.hash.same', { name })}
        </Notice>
      );
    case 'other':
      return (
        <Notice kind="error" alert>
          {t('approval.hash.other', { name })}
        </Notice>
      );
    case 'too-large':
      return (
        <Notice kind="warning" alert>
          {t('approval.hash.tooLarge', { name, algorithm, size: formatSize(result.size, language) })}
        </Notice>
      );
    case 'failed':
      return (
        <Notice kind="error" alert>
          {t('approval.hash.failed', { name })}
        </Notice>
      );
  }
}

/** Compares files with the hash; the last file counts. */
function useComparison({ digest, value }: GivenHash): {
  readonly result: Comparison | null;
  readonly compare: (file: File | undefined) => Promise<void>;
} {
  const [result, setResult] = useState<Comparison | null>(null);
  const compare = useCallback(
    async (file: File | undefined): Promise<void> => {
      if (file === undefined) return;
      const { name, size } = file;
      if (size > MOST) {
        setResult({ state: 'too-large', name, size });
        return;
      }
      setResult({ state: 'reading', name });
      try {
        const bytes = new Uint8Array(await crypto.subtle.digest(webNames[digest], await file.arrayBuffer()));
        const found = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
        setResult({ state: found === value ? 'same' : 'other', name });
      } catch {
        setResult({ state: 'failed', name });
      }
    },
    [digest, value],
  );
  return { result, compare };
}
