import type { CertificateView } from '../../../../src/ui-contract/ui-contract.ts';
import type { DeskItem } from './desk-state.ts';
import type { OptionPartProps } from './option-part.ts';

export interface StampPartProps extends OptionPartProps {
  /** The PDFs of the batch. */
  readonly items: readonly DeskItem[];
  readonly certificate: CertificateView | null;
}
