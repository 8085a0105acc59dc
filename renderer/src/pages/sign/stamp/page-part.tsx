import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/notice.tsx';
import { PagePicker } from '../../../components/pdf/page-picker.tsx';
import { PasswordForm } from '../../../components/pdf/password-form.tsx';
import { usePage, usePdf, type PdfState } from '../../../components/pdf/use-pdf.ts';
import type { DrawnPage } from '../../../components/pdf/open-pdf.ts';
import type { DeskItem } from '../desk-state.ts';
import type { StampOptions } from '../stamp-options.ts';
import type { Position } from './geometry.ts';
import { PageStage } from './page-stage.tsx';
import classes from './stamp.module.css';

interface PagePartProps {
  /** The PDFs of the batch; a single PDF is shown. */
  readonly items: readonly DeskItem[];
  readonly stamp: StampOptions;
  readonly onChange: (part: Partial<StampOptions>) => void;
  readonly drawing: DrawnPage | null;
  readonly password: string;
  readonly onPassword: (password: string) => void;
}

/** A page of a file of the batch, with the stamp. */
export function PagePart({ items, stamp, onChange, drawing, password, onPassword }: PagePartProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<number | null>(null);
  const item = items.find(({ id }) => id === chosen) ?? items[0] ?? null;
  const state = usePdf(item?.file ?? null, password);
  const pdf = state.kind === 'open' ? state.pdf : null;
  const pages = pdf?.pages ?? 0;
  const number = pages === 0 ? 1 : pageNumber(stamp.page, pages);
  const page = usePage(pdf, number);
  const cannotDraw = page === 'damaged' ? 'damaged' : state.kind;
  return (
    <div className={classes.preview}>
      <div>
        <Text fw={600}>{t('signOptions.preview')}</Text>
        <Text size="sm" c="dimmed">
          {t('stamp.dragHelp')}
        </Text>
      </div>
      <DocumentChoice items={items} chosen={item?.id ?? null} onChoose={setChosen} />
      <PagePicker
        number={number}
        pages={pages}
        onChange={(next) => onChange({ page: next })}
        label={t('stamp.pages')}
      />
      <Trouble
        kind={cannotDraw}
        missing={pages > 0 && typeof stamp.page === 'number' && stamp.page > pages ? stamp.page : null}
        onPassword={onPassword}
      />
      <PageStage
        page={page === 'damaged' ? null : page}
        isLoading={state.kind === 'loading' || (pdf !== null && page === null)}
        position={stamp.position}
        onMove={(position: Position) => onChange({ position })}
        stamp={drawing}
      />
    </div>
  );
}

function pageNumber(page: StampOptions['page'], pages: number): number {
  if (page === 'first') return 1;
  return page === 'last' ? pages : Math.min(page, pages);
}

interface DocumentChoiceProps {
  readonly items: readonly DeskItem[];
  readonly chosen: number | null;
  readonly onChoose: (id: number) => void;
}

function DocumentChoice({ items, chosen, onChoose }: DocumentChoiceProps) {
  const { t } = useTranslation();
  if (items.length < 2) return null;
  return (
    <NativeSelect
      label={t('stamp.shown')}
      description={t('stamp.shownHelp')}
      value={String(chosen)}
      data={items.map(({ id, file }) => ({ value: String(id), label: file.name }))}
      onChange={(event) => onChoose(Number(event.currentTarget.value))}
    />
  );
}

interface TroubleProps {
  readonly kind: PdfState['kind'];
  /** A page missing from this file. */
  readonly missing: number | null;
  readonly onPassword: (password: string) => void;
}

/** The reason for a missing page, and the remedy. */
function Trouble({ kind, missing, onPassword }: TroubleProps) {
  const { t } = useTranslation();
  switch (kind) {
    case 'loading':
      return null;
    case 'open':
      return missing === null ? null : <Notice kind="warning">{t('stamp.missingPage', { number: missing })}</Notice>;
    case 'damaged':
      return <Notice kind="warning">{t('stamp.damaged')}</Notice>;
    case 'unavailable':
      return <Notice kind="warning">{t('stamp.unavailable')}</Notice>;
    case 'password':
    case 'wrong-password':
      return <PasswordForm wrong={kind === 'wrong-password'} onPassword={onPassword} />;
  }
}
