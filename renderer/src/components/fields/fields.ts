/** Binds the fields of forms: the shown value and problem of an input, and the effect of a change. */
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';

/** The used part of a change event. */
interface TextEvent {
  readonly currentTarget: { readonly value: string };
}

/** The order of a field with its help below the input. */
export const helpBelow: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description'];

/** A field for addresses, names and keys: without spelling checks and proposals of the browser. */
export const technical = { spellCheck: false, autoComplete: 'off' } as const;

/** The label of a field that may stay empty. */
export const optional = (t: TFunction, label: string): string => `${label} (${t('common.optional')})`;

/** A field with a text, each change of the text, and the shown problem. */
export const textField = (value: string, onText: (text: string) => void, error: ReactNode = null) => ({
  value,
  error,
  onChange: ({ currentTarget }: TextEvent) => onText(currentTarget.value),
});

/** A checkbox or a switch, its change, and the shown problem. */
export const checkField = (checked: boolean, onCheck: (checked: boolean) => void, error: ReactNode = null) => ({
  checked,
  error,
  onChange: ({ currentTarget }: { readonly currentTarget: { readonly checked: boolean } }) =>
    onCheck(currentTarget.checked),
});

/**
 * A select of a closed set: its entries in words, the chosen value, and its change. `unlisted` are the words for a value
 * outside of the set, shown as ''. This value cannot be chosen again.
 */
export const choiceField = <const Value extends string>(
  values: readonly Value[],
  chosen: Value | '',
  wordsOf: (value: Value) => string,
  onChoose: (value: Value) => void,
  unlisted?: string,
) => ({
  value: chosen,
  data: [
    ...(chosen === '' && unlisted !== undefined ? [{ value: '', label: unlisted, disabled: true }] : []),
    ...values.map((value) => ({ value, label: wordsOf(value) })),
  ],
  onChange: ({ currentTarget }: TextEvent) => {
    const found = values.find((value) => value === currentTarget.value);
    if (found !== undefined) onChoose(found);
  },
});
