import type { TextsOf } from './check-text.ts';

const STAMP_AGAIN = {
  'pt-BR': 'Peça um carimbo do tempo novo, enquanto o certificado do signatário for válido.',
  en: "Ask for a fresh time stamp while the signer's certificate is valid.",
} as const;

export const timestampAndChangeTexts: TextsOf<'timestamp' | 'changes'> = {
  TIMESTAMP_VALID: {
    'pt-BR': ['O carimbo do tempo é válido.'],
    en: ['The time stamp is valid.'],
  },
  TIMESTAMP_DAMAGED: {
    'pt-BR': ['O carimbo do tempo está danificado.', STAMP_AGAIN['pt-BR']],
    en: ['The time stamp is damaged.', STAMP_AGAIN.en],
  },
  TIMESTAMP_IMPRINT_WRONG: {
    'pt-BR': [
      'O carimbo do tempo pertence a outra assinatura ou a outro documento.',
      'Não confie na hora que ele mostra; peça um documento com o carimbo certo.',
    ],
    en: [
      'The time stamp belongs to another signature or another document.',
      'Do not go by the time that it shows; ask for a document with the right one.',
    ],
  },
  TIMESTAMP_IMPRINT_UNKNOWN: {
    'pt-BR': [
      'Não se sabe o que o carimbo do tempo carimba, porque o documento não foi informado.',
      'Informe também o documento que foi assinado.',
    ],
    en: [
      'What the time stamp stamps is not known, because the document was not given.',
      'Give the document that was signed, too.',
    ],
  },
  TIMESTAMP_INDEX_WRONG: {
    'pt-BR': ['O índice do carimbo do tempo de arquivamento não corresponde à assinatura.', STAMP_AGAIN['pt-BR']],
    en: ['The index of the archive time stamp does not agree with the signature.', STAMP_AGAIN.en],
  },
  TIMESTAMP_ORDER_WRONG: {
    'pt-BR': [
      'As horas dos carimbos do tempo se contradizem.',
      'Não confie nas horas mostradas; peça um documento com carimbos em ordem.',
    ],
    en: [
      'The times of the time stamps contradict each other.',
      'Do not go by the times shown; ask for a document whose stamps are in order.',
    ],
  },
  TIMESTAMP_NOT_USED: {
    'pt-BR': [
      'Um carimbo do tempo não prova nada, e a assinatura foi avaliada sem ele.',
      'Veja no carimbo o motivo; para uma prova duradoura, peça um carimbo novo.',
    ],
    en: [
      'A time stamp proves nothing, and the signature was judged without it.',
      'See the reason at the time stamp; for lasting proof, ask for a fresh one.',
    ],
  },
  SIGNING_TIME_PROVEN: {
    'pt-BR': ['Um carimbo do tempo válido prova quando a assinatura já existia.'],
    en: ['A valid time stamp proves when the signature existed.'],
  },
  SIGNING_TIME_CLAIMED: {
    'pt-BR': [
      'A hora da assinatura é apenas a que o signatário declarou; nenhum carimbo do tempo a prova.',
      'Para uma prova duradoura, acrescente um carimbo do tempo enquanto o certificado for válido.',
    ],
    en: [
      'The time of the signature is only what the signer claims; no time stamp proves it.',
      'For lasting proof, add a time stamp while the certificate is valid.',
    ],
  },
  PROOF_OF_EXISTENCE_MISSING: {
    'pt-BR': [
      'Os carimbos do tempo e os dados de revogação não alcançam o passado o suficiente para provar a assinatura.',
      'Peça um documento com dados de validação de longo prazo (B-LT ou B-LTA), ou uma assinatura nova.',
    ],
    en: [
      'Time stamps and revocation data do not reach back far enough to prove the signature.',
      'Ask for a document with long-term validation material (B-LT or B-LTA), or for a fresh signature.',
    ],
  },
  PDF_WHOLE_FILE_COVERED: {
    'pt-BR': ['A assinatura cobre o arquivo inteiro: nada foi acrescentado depois dela.'],
    en: ['The signature covers the whole file: nothing was added after it.'],
  },
  PDF_CHANGES_ALLOWED: {
    'pt-BR': ['O que foi acrescentado depois da assinatura é permitido por ela.'],
    en: ['What was added after the signature is allowed by it.'],
  },
  PDF_CHANGES_NOT_ALLOWED: {
    'pt-BR': [
      'O documento foi modificado depois da assinatura de um modo que ela não permite.',
      'Não confie no que o documento mostra agora; veja a versão que foi assinada ou peça-a a quem assinou.',
    ],
    en: [
      'The document was changed after the signature in a way that it does not allow.',
      'Do not rely on what the document shows now; look at the revision that was signed, or ask the signer for it.',
    ],
  },
};
