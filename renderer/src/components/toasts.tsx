import { CloseButton } from '@mantine/core';
import { CircleAlert, CircleCheck } from './icons/index.ts';
import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { CallError } from '../../../src/ui-contract/ui-contract.ts';
import { useErrorText } from '../i18n/error-text.ts';
import classes from './toasts.module.css';

interface Toast {
  readonly id: number;
  readonly kind: 'done' | 'failed';
  readonly text: string;
}

/** Short notices at the edge of the window. */
export interface Toasts {
  /** Reports a success; disappears by itself. */
  done(text: string): void;
  /** Reports a failure; stays until closed. */
  failed(error: CallError): void;
  /** Reports a failure of the page itself, with its text. */
  failedText(text: string): void;
}

const ToastContext = createContext<Toasts | null>(null);
const showFor = 6000;

/** The notices of this page. */
export function useToasts(): Toasts {
  const toasts = useContext(ToastContext);
  if (toasts === null) throw new Error('ToastProvider is missing.');
  return toasts;
}

/** Draws the notices in a live region, which a screen reader announces without moving the focus. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [shown, setShown] = useState<readonly Toast[]>([]);
  const nextId = useRef(0);
  const close = useCallback((id: number) => setShown((all) => all.filter((toast) => toast.id !== id)), []);
  const add = useCallback(
    (kind: Toast['kind'], text: string) => {
      const id = nextId.current++;
      setShown((all) => [...all.filter((toast) => toast.text !== text).slice(-3), { id, kind, text }]);
      if (kind === 'done') setTimeout(() => close(id), showFor);
    },
    [close],
  );
  const toasts = useMemo<Toasts>(
    () => ({
      done: (text) => add('done', text),
      failed: (error) => add('failed', errorText(error)),
      failedText: (text) => add('failed', text),
    }),
    [add, errorText],
  );
  return (
    <ToastContext value={toasts}>
      {children}
      {createPortal(
        <section className={classes.region} aria-live="polite" aria-relevant="additions" aria-label={t('app.notices')}>
          {shown.map((toast) => (
            <div key={toast.id} className={classes.toast} data-kind={toast.kind}>
              {toast.kind === 'done' ? <CircleCheck size={20} aria-hidden /> : <CircleAlert size={20} aria-hidden />}
              <span className={classes.text}>{toast.text}</span>
              <CloseButton size="sm" aria-label={t('common.close')} onClick={() => close(toast.id)} />
            </div>
          ))}
        </section>,
        document.body,
      )}
    </ToastContext>
  );
}
