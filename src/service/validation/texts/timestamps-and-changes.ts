import type { PdfSignatureReport } from '../../../signing/index.ts';
import type { TextsOf } from './check-text.ts';

/** Changes to a PDF by later revisions, in Brazilian Portuguese. Each change carries its English sentence itself. */
export const PDF_CHANGE_TEXTS: Readonly<Record<PdfSignatureReport['changes'][number]['code'], string>> = {
  DOCUMENT_TIMESTAMP_ADDED: 'Foi acrescentado um carimbo do tempo do documento.',
  SECURITY_STORE_UPDATED: 'Foram acrescentados dados para validação de longo prazo.',
  SECURITY_STORE_REMOVED: 'Foram removidos dados para validação de longo prazo.',
  EXTENSIONS_UPDATED: 'Foram declaradas as extensões que o arquivo usa.',
  OUTPUT_INTENT_ADDED: 'As cores de tela (sRGB) foram declaradas como as cores do documento.',
  METADATA_UPDATED: 'Título, datas ou outros metadados foram alterados.',
  SOURCE_FILE_LOST: 'O PDF não aponta mais para o arquivo OpenDocument com o qual foi salvo.',
  SOURCE_FILE_RESTORED:
    'O PDF aponta de novo para o seu arquivo OpenDocument, que o LibreOffice mostra no lugar das páginas.',
  SIGNATURE_ADDED: 'Foi acrescentada outra assinatura.',
  SIGNATURE_FIELD_ADDED: 'Foi acrescentado um campo de assinatura vazio.',
  VISIBLE_SIGNATURE_ADDED: 'Foi acrescentada uma assinatura que ocupa espaço em uma página.',
  VISIBLE_FIELD_ADDED: 'Foi acrescentado um campo de assinatura vazio que ocupa espaço em uma página.',
  FIELD_FILLED: 'Um campo de formulário foi preenchido.',
  FIELD_APPEARANCE_CHANGED: 'Um campo de formulário tem outra aparência, embora o seu valor seja o mesmo.',
  FORM_RESOURCES_ADDED: 'Foram acrescentadas fontes ou outros recursos ao formulário.',
  USAGE_RIGHTS_REMOVED: 'Foram removidos os direitos de preencher e salvar o documento com o Adobe Reader.',
  STRUCTURE_UPDATED: 'Campos ou anotações foram acrescentados à estrutura que diz como o documento é lido.',
  ANNOTATION_ADDED: 'Foi acrescentada uma anotação.',
  COVERING_ANNOTATION_ADDED: 'Foi acrescentada uma anotação que pode cobrir a página.',
  ANNOTATION_CHANGED: 'Uma anotação foi alterada.',
  ANNOTATION_REMOVED: 'Uma anotação foi removida.',
  FIELD_VISIBILITY_CHANGED: 'Um campo de formulário foi escondido ou mostrado.',
  FIELD_LOOKS_UNEXPLAINED: 'Um campo de formulário sem valor agora mostra algum conteúdo.',
  SIGNATURE_REPLACED: 'Uma assinatura foi alterada, removida ou trocada por outra.',
  FIELD_ADDED: 'Foi acrescentado um campo de formulário.',
  FIELD_CHANGED: 'Um campo de formulário foi modificado além do preenchimento.',
  FIELD_REMOVED: 'Um campo de formulário foi removido.',
  FORM_CHANGED: 'O formulário foi modificado além do preenchimento.',
  CERTIFICATION_CHANGED: 'A certificação do documento foi alterada.',
  CATALOG_CHANGED: 'A estrutura do documento foi alterada.',
  OPTIONAL_CONTENT_CHANGED: 'As camadas do documento, que mostram ou escondem conteúdo, foram alteradas.',
  PAGES_CHANGED: 'Páginas foram acrescentadas, removidas ou postas em outra ordem.',
  PAGE_CHANGED: 'Uma página foi alterada.',
  PAGE_CONTENT_CHANGED: 'O conteúdo de uma página foi alterado.',
  PAGE_RESOURCES_CHANGED: 'Fontes, imagens ou outros recursos de uma página foram alterados.',
  ENCRYPTION_CHANGED: 'A criptografia do documento foi alterada.',
  TRAILER_CHANGED: 'A raiz do documento foi alterada.',
  OBJECT_CHANGED: 'Uma parte do documento foi alterada.',
  OBJECT_REMOVED: 'Uma parte do documento que está em uso foi removida.',
  SHARED_OBJECT_CHANGED: 'Foi alterada uma parte do documento usada em mais lugares do que a alteração mostra.',
  MISSING_OBJECT_SUPPLIED: 'Uma parte que faltava quando o documento foi assinado foi fornecida depois.',
  OBJECT_REPOINTED: 'Uma parte do documento foi trocada por dados que já estavam no arquivo.',
  PHANTOM_OBJECT: 'Uma parte apenas anunciada quando o documento foi assinado foi fornecida depois.',
  OBJECT_STREAM_REPLACED: 'Um recipiente com partes do documento foi trocado.',
  HIDDEN_OBJECT_CHANGED: 'Programas diferentes leem versões diferentes de uma parte do documento.',
  REVISION_REPLACED: 'A versão que foi assinada não faz mais parte da história do arquivo.',
  CONTENT_OUTSIDE_REVISIONS: 'Depois do documento há dados que não formam uma versão válida dele.',
  NOT_COMPARABLE: 'As versões do documento são grandes ou danificadas demais para serem comparadas.',
};

const STAMP_AGAIN = {
  'pt-BR': 'Peça um carimbo do tempo novo, enquanto o certificado do signatário for válido.',
  en: "Ask for a new time stamp while the signer's certificate is valid.",
} as const;

const ARCHIVE_AGAIN = {
  'pt-BR': 'Peça uma cópia íntegra do registro a quem guarda os documentos.',
  en: 'Ask the archive for an undamaged copy of the record.',
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
      'Do not rely on the time that it shows; ask for a document with the right time stamp.',
    ],
  },
  TIMESTAMP_IMPRINT_UNKNOWN: {
    'pt-BR': [
      'Não foi possível saber a que o carimbo do tempo se refere, porque o documento não foi informado.',
      'Informe também o documento que foi assinado.',
    ],
    en: [
      'The time stamp could not be compared with the document, because the document was not provided.',
      'Provide the signed document as well.',
    ],
  },
  TIMESTAMP_INDEX_WRONG: {
    'pt-BR': ['O índice do carimbo do tempo de arquivamento não corresponde à assinatura.', STAMP_AGAIN['pt-BR']],
    en: ['The index of the archive time stamp does not match the signature.', STAMP_AGAIN.en],
  },
  TIMESTAMP_ORDER_WRONG: {
    'pt-BR': [
      'As horas dos carimbos do tempo se contradizem.',
      'Não confie nas horas mostradas; peça um documento com carimbos na ordem correta.',
    ],
    en: [
      'The times of the time stamps contradict each other.',
      'Do not rely on the times shown; ask for a document with time stamps in the right order.',
    ],
  },
  TIMESTAMP_NOT_USED: {
    'pt-BR': [
      'Um carimbo do tempo não prova nada, e a assinatura foi avaliada sem ele.',
      'O motivo está nas verificações do carimbo; para uma prova duradoura, peça um carimbo novo.',
    ],
    en: [
      'A time stamp proves nothing, and the signature was judged without it.',
      'The checks of the time stamp show the reason; for lasting proof, ask for a new time stamp.',
    ],
  },
  SIGNING_TIME_PROVEN: {
    'pt-BR': ['Um carimbo do tempo válido prova um momento em que a assinatura já existia.'],
    en: ['A valid time stamp proves a time at which the signature already existed.'],
  },
  SIGNING_TIME_MISSING: {
    'pt-BR': [
      'A assinatura não declara uma hora legível, por isso não tem nenhum nível básico.',
      'Peça uma assinatura nova, feita por um programa que declare a hora.',
    ],
    en: [
      'The signature claims no time that can be read, so it has no baseline level.',
      'Ask for a new signature, made by a program that states the time.',
    ],
  },
  SIGNING_TIME_CLAIMED: {
    'pt-BR': [
      'A hora da assinatura é apenas a que o signatário declarou; nenhum carimbo do tempo a prova.',
      'Para uma prova duradoura, acrescente um carimbo do tempo enquanto o certificado for válido.',
    ],
    en: [
      'The time of the signature is only claimed by the signer; no time stamp proves it.',
      'For lasting proof, add a time stamp while the certificate is valid.',
    ],
  },
  PROTECTION_ENDED: {
    'pt-BR': [
      'A proteção do último carimbo do tempo terminou, e nenhum outro o renovou a tempo.',
      'Peça uma assinatura nova, e renove os outros documentos antes do fim da proteção (sinete extend --due).',
    ],
    en: [
      'The protection of the last time stamp has ended, and no other time stamp renewed it in time.',
      'Ask for a new signature, and renew other documents before their protection ends (sinete extend --due).',
    ],
  },
  PROOF_OF_EXISTENCE_MISSING: {
    'pt-BR': [
      'Os carimbos do tempo e os dados de revogação não são antigos o bastante para provar a assinatura.',
      'Peça um documento com dados de validação de longo prazo (B-LT ou B-LTA), ou uma assinatura nova.',
    ],
    en: [
      'The time stamps and revocation data do not go back far enough to prove the signature.',
      'Ask for a document with long-term validation data (B-LT or B-LTA), or for a new signature.',
    ],
  },
  EVIDENCE_RECORD_DAMAGED: {
    'pt-BR': ['O registro de evidências está danificado.', ARCHIVE_AGAIN['pt-BR']],
    en: ['The evidence record is damaged.', ARCHIVE_AGAIN.en],
  },
  EVIDENCE_RECORD_DATA_WRONG: {
    'pt-BR': [
      'O registro de evidências pertence a outros dados.',
      'Não confie nas horas que ele mostra; peça o registro certo a quem guarda os documentos.',
    ],
    en: [
      'The evidence record belongs to other data.',
      'Do not rely on the times that it shows; ask the archive for the right record.',
    ],
  },
  EVIDENCE_RECORD_CHAIN_BROKEN: {
    'pt-BR': ['Uma renovação do registro de evidências não cobre o que deveria renovar.', ARCHIVE_AGAIN['pt-BR']],
    en: ['A renewal of the evidence record does not cover what it should renew.', ARCHIVE_AGAIN.en],
  },
  EVIDENCE_RECORD_DATA_UNKNOWN: {
    'pt-BR': [
      'Os dados que o registro de evidências protege não estão disponíveis.',
      'Informe também o documento que o registro protege.',
    ],
    en: ['The data that the evidence record protects is not available.', 'Provide the document of the record as well.'],
  },
  EVIDENCE_RECORD_NOT_USED: {
    'pt-BR': [
      'Um registro de evidências não prova nada, e a assinatura foi avaliada sem ele.',
      'O motivo está nas verificações do registro; peça um registro válido a quem guarda os documentos.',
    ],
    en: [
      'An evidence record proves nothing, and the signature was judged without it.',
      'The checks of the record show the reason; ask the archive for a valid record.',
    ],
  },
  PDF_WHOLE_FILE_COVERED: {
    'pt-BR': ['A assinatura cobre o arquivo inteiro: nada foi acrescentado depois dela.'],
    en: ['The signature covers the whole file: nothing was added after it.'],
  },
  PDF_CHANGES_ALLOWED: {
    'pt-BR': ['A assinatura permite o que foi acrescentado depois dela.'],
    en: ['The signature allows the content that was added later.'],
  },
  PDF_CHANGES_NOT_ALLOWED: {
    'pt-BR': [
      'O documento foi modificado depois da assinatura de um modo que ela não permite.',
      'Não confie no que o documento mostra agora; veja a versão que foi assinada ou peça-a a quem assinou.',
    ],
    en: [
      'The document was changed later in a way that the signature does not allow.',
      'Do not rely on what the document shows now; look at the signed revision, or ask the signer for it.',
    ],
  },
};
