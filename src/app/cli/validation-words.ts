import type { ValidatedSignatureView } from '../../ui-contract/validation-calls.ts';
import type { ValidationView } from '../../ui-contract/ui-contract.ts';

/** The words of `sinete validate` that surround the texts of a report. */
export interface ValidationWords {
  readonly headings: readonly string[];
  readonly proven: string;
  readonly nothing: string;
  readonly report: string;
  readonly revision: string;
  readonly hierarchies: Readonly<Record<NonNullable<ValidatedSignatureView['hierarchy']>, string>>;
}

export const validationWords: Readonly<Record<ValidationView['report']['language'], ValidationWords>> = {
  en: {
    headings: ['', 'Result', 'Signer', 'CPF/CNPJ', 'Level', 'Hierarchy', 'Why'],
    proven: 'proven',
    nothing: 'nothing',
    report: 'Report',
    revision: 'Revision',
    hierarchies: { 'ICP-Brasil': 'ICP-Brasil', 'gov.br': 'gov.br', test: 'test', other: 'other' },
  },
  'pt-BR': {
    headings: ['', 'Resultado', 'Signatário', 'CPF/CNPJ', 'Nível', 'Hierarquia', 'Motivo'],
    proven: 'provado',
    nothing: 'nenhum',
    report: 'Relatório',
    revision: 'Revisão',
    hierarchies: { 'ICP-Brasil': 'ICP-Brasil', 'gov.br': 'gov.br', test: 'teste', other: 'outra' },
  },
};
