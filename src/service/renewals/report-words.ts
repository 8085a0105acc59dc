/** The texts of the report of renewals, and the reasons of outcomes. */
import type { StandardWarningCode, TimestampRole } from '../../signing/index.ts';
import { checkWords, type ReportLanguage } from '../validation/index.ts';
import type { RenewalCause, RenewalOutcome, RenewalState } from './renewal.ts';

export interface RenewalWords {
  readonly fileName: string;
  readonly title: string;
  readonly made: string;
  readonly intro: string;
  readonly none: string;
  readonly state: string;
  readonly notLooked: string;
  readonly detail: string;
  readonly before: string;
  readonly until: string;
  readonly endsBy: string;
  readonly looked: string;
  readonly renewed: string;
  readonly signature: string;
  readonly unknownSigner: string;
  readonly unknownAuthority: string;
  readonly level: string;
  readonly proven: string;
  readonly notValid: string;
  readonly warning: string;
  /** A sentence for each warning about the claimed standard. */
  readonly warnings: Readonly<Record<StandardWarningCode, (standard: string) => string>>;
  readonly states: Readonly<Record<RenewalState, string>>;
  readonly roles: Readonly<Record<TimestampRole, string>>;
}

export const renewalWords: Readonly<Record<ReportLanguage, RenewalWords>> = {
  en: {
    fileName: 'renewals',
    title: 'Signed files that are kept valid',
    made: 'Made at',
    intro:
      'For each file: until when it proves itself, and which authority proved what at which time. The time stamps are in the files, where any validator can check them again.',
    none: 'No file is kept valid here.',
    state: 'State',
    notLooked: 'Not looked at yet',
    detail: 'Detail',
    before: 'SHA-256 before the renewal',
    until: 'Protected until',
    endsBy: 'Ends first',
    looked: 'Last look',
    renewed: 'Last renewal',
    signature: 'Signature',
    unknownSigner: 'unknown signer',
    unknownAuthority: 'unknown authority',
    level: 'Proven level',
    proven: 'Existed at the latest',
    notValid: 'not valid now',
    warning: 'Warning',
    warnings: {
      PICTURE_FLATTENED: (standard) => `A picture lost its transparency, so that the file stays ${standard}.`,
      WIDGET_NOT_TAGGED: (standard) =>
        `The file is certified and allows no changes, so the field of the time stamp is not part of its structure, as ${standard} demands.`,
      FILE_NOT_TAGGED: (standard) =>
        `The file claims ${standard} but has no usable structure, so the new field could not become a part of it.`,
      FIELDS_LEFT_EMPTY: () => 'Signature fields of the PDF stay empty.',
      INFORMATION_LEFT_OUT: () => 'Entries of the document information were left out.',
      GLYPHS_MISSING: () => 'The visible signature shows boxes for characters without a font.',
      CERTIFICATE_REVOKED: () => 'The certificate is known to be revoked or suspended.',
    },
    states: {
      renewed: 'Renewed',
      due: 'Due',
      'not-due': 'Protected',
      'content-missing': 'The signed document is missing',
      'file-missing': 'The file is missing',
      locked: 'Encrypted: it needs its password',
      'not-valid': 'Not valid',
      'no-signature': 'No signature',
      failed: 'Due, and not renewed',
    },
    roles: {
      signature: 'Time stamp of the signature',
      archive: 'Archive time stamp',
      document: 'Document time stamp',
      content: 'Time stamp of the content',
      references: 'Time stamp of the references',
      'evidence-record': 'Evidence record',
    },
  },
  'pt-BR': {
    fileName: 'renovacoes',
    title: 'Arquivos assinados que são mantidos válidos',
    made: 'Feito em',
    intro:
      'Para cada arquivo: até quando ele se prova sozinho, e que autoridade provou o quê e em que momento. Os carimbos do tempo estão nos próprios arquivos, onde qualquer validador pode conferi-los de novo.',
    none: 'Nenhum arquivo é mantido válido aqui.',
    state: 'Situação',
    notLooked: 'Ainda não verificado',
    detail: 'Detalhe',
    before: 'SHA-256 antes da renovação',
    until: 'Protegido até',
    endsBy: 'O que termina primeiro',
    looked: 'Última verificação',
    renewed: 'Última renovação',
    signature: 'Assinatura',
    unknownSigner: 'signatário desconhecido',
    unknownAuthority: 'autoridade desconhecida',
    level: 'Nível provado',
    proven: 'Existia, no mais tardar, em',
    notValid: 'não válido agora',
    warning: 'Aviso',
    warnings: {
      PICTURE_FLATTENED: (standard) => `Uma imagem perdeu a transparência para que o arquivo continue ${standard}.`,
      WIDGET_NOT_TAGGED: (standard) =>
        `O arquivo é certificado e não permite alterações; por isso o campo do carimbo do tempo não entrou na estrutura, como o ${standard} exige.`,
      FILE_NOT_TAGGED: (standard) =>
        `O arquivo declara ser ${standard}, mas não tem estrutura utilizável; o novo campo não pôde fazer parte dela.`,
      FIELDS_LEFT_EMPTY: () => 'Campos de assinatura do PDF continuam vazios.',
      INFORMATION_LEFT_OUT: () => 'Alguns metadados pedidos não entraram no PDF.',
      GLYPHS_MISSING: () => 'A assinatura visível mostra quadros no lugar de caracteres sem fonte.',
      CERTIFICATE_REVOKED: () => 'Sabe-se que o certificado está revogado ou suspenso.',
    },
    states: {
      renewed: 'Renovado',
      due: 'A renovar',
      'not-due': 'Protegido',
      'content-missing': 'Falta o documento assinado',
      'file-missing': 'O arquivo não está no lugar',
      locked: 'Criptografado: precisa da senha',
      'not-valid': 'Não válido',
      'no-signature': 'Sem assinatura',
      failed: 'A renovar, e não renovado',
    },
    roles: {
      signature: 'Carimbo do tempo da assinatura',
      archive: 'Carimbo do tempo de arquivamento',
      document: 'Carimbo do tempo do documento',
      content: 'Carimbo do tempo do conteúdo',
      references: 'Carimbo do tempo das referências',
      'evidence-record': 'Registro de evidências',
    },
  },
};

/** The reason of an outcome as a sentence; empty if the state needs no explanation. */
export function reasonOf(outcome: RenewalOutcome, language: ReportLanguage): string {
  const { state, detail, causes = [], endsBy, protectedUntil, protectedUntilBefore } = outcome;
  if (language === 'en') return detail;
  const told = causes.map(portugueseCause);
  switch (state) {
    case 'renewed':
      return protectedUntilBefore == null ? '' : `A proteção anterior terminava em ${dayOf(protectedUntilBefore)}.`;
    case 'due':
    case 'failed': {
      const end = endsBy === null || protectedUntil === null ? [] : [[endsBy.name, dayOf(protectedUntil)] as const];
      const why = end.map(([name, day]) => `A proteção por ${name} termina em ${day}.`);
      return [...why, ...told].join(' ');
    }
    case 'not-valid':
      return told.length === 0 ? 'A assinatura não é válida.' : told.join(' ');
    case 'locked':
    case 'content-missing':
    case 'file-missing':
    case 'no-signature':
    case 'not-due':
      return '';
  }
}

function portugueseCause(cause: RenewalCause): string {
  switch (cause.kind) {
    case 'check':
      return checkWords(cause.code, 'pt-BR').finding;
    case 'error':
      return cause.server === undefined
        ? `Não foi possível continuar (${cause.code}).`
        : `O servidor de carimbo do tempo “${cause.server}” não atendeu (${cause.code}).`;
    case 'shorter': {
      const of = cause.server === undefined ? '' : ` de “${cause.server}”`;
      const end = cause.until === undefined ? 'não protege' : `só protege até ${cause.until}`;
      return `Um novo carimbo${of} ${end}: configure outro servidor de carimbo do tempo.`;
    }
    case 'changed':
      return 'O arquivo mudou nesse meio tempo.';
    case 'record':
      return `O registro de evidências “${cause.name}” o protege, e não foi renovado.`;
  }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
