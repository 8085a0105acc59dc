import type { Dispatch } from 'react';
import type { SigningOptions } from './signing-options.ts';

/** What each part of the options is given. */
export interface OptionPartProps {
  readonly options: SigningOptions;
  readonly onChange: Dispatch<Partial<SigningOptions>>;
}
