import { Button } from '@mantine/core';
import { Printer } from '../../components/icons/index.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ValidationView } from '../../../../src/ui-contract/ui-contract.ts';
import { ReportMenu, type ReportFormat } from '../../components/menus/report-menu.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useToasts } from '../../components/toasts.tsx';
import { useValidationDesk } from './use-validation-desk.ts';
import { createPortal } from 'react-dom';
import { ReportBody } from './report-body.tsx';
import classes from './validate.module.css';

/** Print a report, or save the report in a lasting form. */
export function ReportActions({ view, isPdf }: { readonly view: ValidationView; readonly isPdf: boolean }) {
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
    const content = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    saveFile(name, new Blob([content], { type: mediaType }));
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
      {printed === 0 ? null : <PrintSheet key={printed} view={view} isPdf={isPdf} onDone={() => setPrinted(0)} />}
    </>
  );
}

interface PrintSheetProps {
  readonly view: ValidationView;
  readonly isPdf: boolean;
  readonly onDone: () => void;
}

/**
 * The whole report for printing, in the colours of paper. It exists only during printing and is never visible on the
 * screen.
 */
function PrintSheet({ view, isPdf, onDone }: PrintSheetProps) {
  const finish = useEffectEvent(onDone);
  useEffect(() => {
    const done = (): void => finish();
    window.addEventListener('afterprint', done, { once: true });
    window.print();
    return () => window.removeEventListener('afterprint', done);
  }, []);
  const { report } = view;
  return createPortal(
    <div className={classes.sheet}>
      <h1>{report.title}</h1>
      <p>
        <strong>{report.verdict}.</strong> {report.sentence}
      </p>
      <ReportBody report={report} isPdf={isPdf} onPaper />
    </div>,
    document.body,
  );
}
