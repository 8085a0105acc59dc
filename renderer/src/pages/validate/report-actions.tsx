import { Button } from '@mantine/core';
import { Printer } from '../../components/icons/index.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ValidationView } from '../../../../src/ui-contract/ui-contract.ts';
import { ReportMenu, type ReportFormat } from '../../components/menus/report-menu.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useToasts } from '../../components/toasts.tsx';
import { useValidationDesk } from './use-validation-desk.ts';
import { createPortal } from 'react-dom';
import { openPdf } from '../../components/pdf/open-pdf.ts';
import { bytesOf } from '../../format/bytes-of.ts';
import classes from './validate.module.css';

/** Print a report, or save the report in a lasting form. */
export function ReportActions({ view }: { readonly view: ValidationView }) {
  const { t } = useTranslation();
  const validation = useValidationDesk();
  const toasts = useToasts();
  const [printed, setPrinted] = useState(0);
  const save = async (format: ReportFormat): Promise<void> => {
    const result = await validation.report(view, format);
    if (!result.ok) {
      toasts.failed(result.error);
      return;
    }
    const { name, mediaType, data } = result.value;
    saveFile(name, new Blob([bytesOf(data)], { type: mediaType }));
    toasts.done(t('validate.saved', { name }));
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Printer size={16} aria-hidden />}
        aria-label={t('validate.printNamed', { name: view.fileName })}
        onClick={() => setPrinted((count) => count + 1)}
      >
        {t('validate.print')}
      </Button>
      <ReportMenu
        size="xs"
        text={t('validate.save')}
        label={t('validate.saveNamed', { name: view.fileName })}
        onChoose={(format) => void save(format)}
      />
      {printed === 0 ? null : <PrintSheet key={printed} view={view} onDone={() => setPrinted(0)} />}
    </>
  );
}

interface PrintSheetProps {
  readonly view: ValidationView;
  readonly onDone: () => void;
}

/** Pixels for a point of the printed sheet: sharp on a printer. */
const sharpness = 2.8;

/**
 * The sheet of the saved PDF, drawn for printing, so that paper and file look the same. It exists only during printing
 * and is never visible on the screen.
 */
function PrintSheet({ view, onDone }: PrintSheetProps) {
  const validation = useValidationDesk();
  const toasts = useToasts();
  const sheet = useRef<HTMLDivElement>(null);
  const finish = useEffectEvent(onDone);
  const draw = useEffectEvent(async (signal: AbortSignal): Promise<boolean> => {
    const result = await validation.report(view, 'pdf');
    if (!result.ok) {
      toasts.failed(result.error);
      return false;
    }
    const pdf = await openPdf(new Blob([bytesOf(result.value.data)]), '');
    if (typeof pdf === 'string') return false;
    try {
      const pages: HTMLCanvasElement[] = [];
      for (let number = 1; number <= pdf.pages && !signal.aborted; number += 1) {
        const canvas = document.createElement('canvas');
        await (await pdf.page(number)).draw(canvas, sharpness, signal, 'white', 'print');
        pages.push(canvas);
      }
      sheet.current?.replaceChildren(...pages);
      return !signal.aborted;
    } finally {
      pdf.close();
    }
  });
  useEffect(() => {
    const abort = new AbortController();
    const done = (): void => finish();
    window.addEventListener('afterprint', done, { once: true });
    void draw(abort.signal).then((drawn) => {
      if (drawn) window.print();
      else if (!abort.signal.aborted) finish();
    });
    return () => {
      abort.abort();
      window.removeEventListener('afterprint', done);
    };
  }, []);
  return createPortal(
    <div ref={sheet} className={classes.sheet} role="img" aria-label={view.report.title} />,
    document.body,
  );
}
