import { useEffect, useEffectEvent } from 'react';
import { createPortal } from 'react-dom';
import type { ValidationView } from '../../../../src/ui-contract/ui-contract.ts';
import { ReportBody } from './report-body.tsx';
import classes from './validate.module.css';

interface PrintSheetProps {
  readonly view: ValidationView;
  readonly isPdf: boolean;
  readonly onDone: () => void;
}

/**
 * The whole report for printing, in the colours of paper. It exists only during printing and is never visible on the
 * screen.
 */
export function PrintSheet({ view, isPdf, onDone }: PrintSheetProps) {
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
