import type { ReportLanguage } from './check-text.ts';

/** Words of the report on paper that no other form of the report has. */
export interface SheetWords {
  readonly appendix: string;
  /** Behind the time of a signature. */
  readonly proven: string;
  readonly claimed: string;
  /** Levels and policies by the beginning of their names, in words. */
  readonly levels: readonly (readonly [beginning: string, words: string])[];
}

const portuguese: SheetWords = {
  appendix: 'Apêndice técnico',
  proven: 'provada por carimbo do tempo',
  claimed: 'declarada pelo signatário',
  levels: [
    ['B-B', 'Assinatura sem carimbo do tempo'],
    ['B-T', 'Com carimbo do tempo'],
    ['B-LT', 'Com carimbo do tempo e provas de validade guardadas'],
    ['B-LTA', 'Para longo prazo, com provas que podem ser renovadas'],
    ['AD-RB', 'Referência básica da ICP-Brasil'],
    ['AD-RT', 'Referência do tempo da ICP-Brasil'],
    ['AD-RV', 'Referências para validação da ICP-Brasil'],
    ['AD-RC', 'Referências completas da ICP-Brasil'],
    ['AD-RA', 'Referências para arquivamento da ICP-Brasil'],
  ],
};

const english: SheetWords = {
  appendix: 'Technical appendix',
  proven: 'proven by a time stamp',
  claimed: 'claimed by the signer',
  levels: [
    ['B-B', 'Signature without a time stamp'],
    ['B-T', 'With a time stamp'],
    ['B-LT', 'With a time stamp and stored evidence of validity'],
    ['B-LTA', 'For the long term, with evidence that can be renewed'],
    ['AD-RB', 'Basic reference of ICP-Brasil'],
    ['AD-RT', 'Time reference of ICP-Brasil'],
    ['AD-RV', 'Validation references of ICP-Brasil'],
    ['AD-RC', 'Complete references of ICP-Brasil'],
    ['AD-RA', 'Archival references of ICP-Brasil'],
  ],
};

export const sheetWords: Readonly<Record<ReportLanguage, SheetWords>> = { 'pt-BR': portuguese, en: english };
