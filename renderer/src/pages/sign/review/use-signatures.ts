import { useEffect, useState } from 'react';
import type { ValidatedSignatureView } from '../../../../../src/ui-contract/validation-calls.ts';
import type { CallError } from '../../../../../src/ui-contract/ui-contract.ts';
import type { OpenPdf } from '../../../components/pdf/open-pdf.ts';
import { useCore } from '../../../data/core-context.ts';
import { useLanguage } from '../../../i18n/use-language.ts';

/**
 * The existing signatures of a file. `none`: the file has no signature. `reading`: the core is validating. `unknown`:
 * the file has signature fields, but their state could not be determined.
 */
export type Signatures =
  | { readonly kind: 'none' | 'reading' }
  | { readonly kind: 'unknown'; readonly error: CallError }
  | { readonly kind: 'found'; readonly signatures: readonly ValidatedSignatureView[] };

const none: Signatures = { kind: 'none' };
const reading: Signatures = { kind: 'reading' };

/** Validates the shown file, when it has a signature field at all. */
export function useSignatures(pdf: OpenPdf | null, file: File | null, password: string): Signatures {
  const { bridge } = useCore();
  const language = useLanguage();
  const [held, setHeld] = useState<{ readonly of: OpenPdf | null; readonly value: Signatures }>({
    of: null,
    value: none,
  });
  useEffect(() => {
    if (pdf === null || file === null) return;
    const abort = new AbortController();
    const validate = async (): Promise<Signatures> => {
      if (!(await pdf.hasSignatureFields())) return none;
      if (abort.signal.aborted) return none;
      setHeld({ of: pdf, value: reading });
      const given = await bridge.giveFile(file, () => undefined, abort.signal);
      if (!given.ok) return { kind: 'unknown', error: given.error };
      const result = await bridge.call('validation.run', {
        signature: given.value,
        language,
        ...(password === '' ? {} : { password }),
      });
      if (result.ok) return { kind: 'found', signatures: result.value.report.signatures };
      return result.error.code === 'NOT_A_SIGNATURE' ? none : { kind: 'unknown', error: result.error };
    };
    // A PDF with an unreadable form is shown anyway.
    validate().then(
      (value) => {
        if (!abort.signal.aborted) setHeld({ of: pdf, value });
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [bridge, pdf, file, password, language]);
  return held.of === pdf ? held.value : none;
}

/** The signature in the field with this name, if the field is signed. */
export function signatureIn(signatures: Signatures, fieldName: string): ValidatedSignatureView | undefined {
  if (signatures.kind !== 'found') return undefined;
  return signatures.signatures.find((one) => one.fieldName === fieldName);
}
