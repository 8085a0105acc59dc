import { TextInput, type TextInputProps } from '@mantine/core';
import type { Ref } from 'react';
import { helpBelow } from '../../components/fields/fields.ts';

/** A field for a one-time code or recovery code. A mobile keyboard offers digits, and the system its own autofill. */
export function CodeInput(props: TextInputProps & { readonly ref?: Ref<HTMLInputElement> }) {
  return (
    <TextInput
      required
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={40}
      inputWrapperOrder={helpBelow}
      {...props}
    />
  );
}
