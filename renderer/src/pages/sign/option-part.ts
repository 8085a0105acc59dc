import type { Dispatch } from 'react';
import type { SigningOptions } from './signing-options.ts';

/** Input of each part of the options. */
export interface OptionPartProps {
  readonly options: SigningOptions;
  readonly onChange: Dispatch<Partial<SigningOptions>>;
}
