import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textField } from '../../../components/fields/fields.ts';
import { Notice } from '../../../components/notice.tsx';
import { PagePicker } from '../../../components/pdf/page-picker.tsx';
import { PasswordForm } from '../../../components/pdf/password-form.tsx';
import { usePage, usePdf, type PdfState } from '../../../components/pdf/use-pdf.ts';
import type { DrawnPage } from '../../../components/pdf/open-pdf.ts';
import type { DeskItem } from '../desk-state.ts';
import { initialStamp, ownStampOf, type OwnStamp, type StampOptions } from '../stamp-options.ts';
import type { Position } from '../stamp/geometry.ts';
import { FileStampChoice } from './file-stamp-choice.tsx';
import { PageStage, type PlacedInitials } from './page-stage.tsx';
import { PageStrip } from './page-strip.tsx';
import classes from './review.module.css';
import { SignatureList } from './signature-list.tsx';
import { useSignatures } from './use-signatures.ts';

interface ReviewDeskProps {
  /** The PDFs of the batch; a single PDF is shown. */
  readonly items: readonly DeskItem[];
  /** Null: the signature is not visible. */
  readonly stamp: StampOptions | null;
  readonly onStamp: (stamp: StampOptions) => void;
  readonly drawing: DrawnPage | null;
  /** The initials of the further pages; null before their drawing. */
  readonly initials: DrawnPage | null;
  readonly password: string;
  readonly onPassword: (password: string) => void;
}

/** The pages of each PDF of the batch, with the existing signatures and the stamp of the new one. */
export function ReviewDesk({ items, stamp, onStamp, drawing, initials, password, onPassword }: ReviewDeskProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<number | null>(null);
  const item = items.find(({ id }) => id === chosen) ?? items[0] ?? null;
  const state = usePdf(item?.file ?? null, password);
  const pdf = state.kind === 'open' ? state.pdf : null;
  const pages = pdf?.pages ?? 0;
  const own = stamp === null || item === null ? null : ownStampOf(stamp, item.id);
  const { number, view } = useViewedPage(item, placeOf(stamp, own), pages);
  const page = usePage(pdf, number);
  const trouble = page === 'damaged' ? 'damaged' : state.kind;
  const signatures = useSignatures(pdf, item?.file ?? null, password);
  const setOwn = (wanted: OwnStamp | null): void => {
    if (item === null) return;
    const others = new Map([...(stamp?.own ?? [])].filter(([id]) => id !== item.id));
    if (wanted !== null) others.set(item.id, wanted);
    onStamp({ ...(stamp ?? initialStamp), own: others });
  };
  const place = placeOf(stamp, own);
  const move = (part: Partial<NonNullable<typeof place>>): void => {
    if (stamp === null || place === null) return;
    if (own?.kind === 'place') setOwn({ ...own, ...part });
    else onStamp({ ...stamp, ...part });
  };
  const stampPage = place === null || pages === 0 ? number : pageNumber(place.page, pages);
  const missing = pages > 0 && typeof place?.page === 'number' && place.page > pages ? place.page : null;
  const isMarked = own?.kind !== 'none' && signatures.kind === 'none' && number !== stampPage;
  return (
    <div className={classes.desk}>
      <DocumentChoice items={items} chosen={item?.id ?? null} onChoose={setChosen} />
      <PagePicker number={number} pages={pages} onChange={view} label={t('stamp.pages')} />
      <Trouble kind={trouble} missing={missing} hasStamp={place !== null} onPassword={onPassword} />
      <PageStage
        page={page === 'damaged' ? null : page}
        isLoading={state.kind === 'loading' || (pdf !== null && page === null)}
        place={place !== null && number === stampPage ? place.position : null}
        onMove={(position: Position) => move({ position })}
        stamp={drawing}
        initials={isMarked ? initialsOn(stamp, initials, onStamp) : null}
        signatures={signatures}
        filled={own?.kind === 'field' ? own.fieldName : null}
        onField={(fieldName) => setOwn({ kind: 'field', fieldName })}
        onPutHere={place !== null && number !== stampPage ? () => move({ page: number }) : null}
      />
      {pdf === null ? null : <PageStrip pdf={pdf} number={number} onChoose={view} />}
      {stamp === null || item === null ? null : (
        <FileStampChoice
          isBatch={items.length > 1}
          own={own}
          onChange={(kind) => {
            if (kind === 'place') setOwn({ kind, page: number, position: place?.position ?? stamp.position });
            else setOwn(kind === 'none' ? { kind } : null);
          }}
        />
      )}
      <SignatureList signatures={signatures} />
    </div>
  );
}

/** The initials of a page without the stamp; null without initials. */
function initialsOn(
  stamp: StampOptions | null,
  drawing: DrawnPage | null,
  onStamp: (stamp: StampOptions) => void,
): PlacedInitials | null {
  if (stamp?.initials == null) return null;
  const { initials } = stamp;
  return {
    place: initials.position,
    drawing,
    onMove: (position) => onStamp({ ...stamp, initials: { ...initials, position } }),
  };
}

/** The place of the stamp of the shown file; null in a field, or without a stamp. */
function placeOf(stamp: StampOptions | null, own: OwnStamp | null): Pick<StampOptions, 'page' | 'position'> | null {
  if (stamp === null || own === null) return stamp;
  return own.kind === 'place' ? own : null;
}

function pageNumber(page: StampOptions['page'], pages: number): number {
  if (page === 'first') return 1;
  return page === 'last' ? pages : Math.min(page, pages);
}

/** The shown page: the page of the stamp, until another page is chosen. */
function useViewedPage(item: DeskItem | null, place: Pick<StampOptions, 'page'> | null, pages: number) {
  const key = `${item?.id ?? ''} ${place?.page ?? ''}`;
  const [viewed, setViewed] = useState({ of: '', number: 1 });
  const usual = place === null || pages === 0 ? 1 : pageNumber(place.page, pages);
  const number = viewed.of === key ? Math.min(viewed.number, Math.max(1, pages)) : usual;
  return { number, view: (next: number): void => setViewed({ of: key, number: next }) };
}

interface DocumentChoiceProps {
  readonly items: readonly DeskItem[];
  readonly chosen: number | null;
  readonly onChoose: (id: number) => void;
}

function DocumentChoice({ items, chosen, onChoose }: DocumentChoiceProps) {
  const { t } = useTranslation();
  if (items.length < 2) return <Text fw={600}>{t('signOptions.preview')}</Text>;
  return (
    <NativeSelect
      label={t('stamp.shown')}
      {...textField(String(chosen), (text) => onChoose(Number(text)))}
      data={items.map(({ id, file }) => ({ value: String(id), label: file.name }))}
    />
  );
}

interface TroubleProps {
  readonly kind: PdfState['kind'];
  /** A page missing from this file. */
  readonly missing: number | null;
  /** True while a stamp has a place on the page. */
  readonly hasStamp: boolean;
  readonly onPassword: (password: string) => void;
}

/** The reason for a missing page, and the remedy. */
function Trouble({ kind, missing, hasStamp, onPassword }: TroubleProps) {
  const { t } = useTranslation();
  switch (kind) {
    case 'loading':
      return null;
    case 'open':
      return missing === null ? null : <Notice kind="warning">{t('stamp.missingPage', { number: missing })}</Notice>;
    case 'damaged':
    case 'unavailable':
      return (
        <Notice kind="warning">
          {t(`stamp.${kind}`)} {hasStamp ? t('stamp.blindPlace') : null}
        </Notice>
      );
    case 'password':
    case 'wrong-password':
      return <PasswordForm wrong={kind === 'wrong-password'} onPassword={onPassword} />;
  }
}
