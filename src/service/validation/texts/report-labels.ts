import type {
  Hierarchy,
  Indication,
  PdfSignatureReport,
  SubIndication,
  TimestampRole,
  ValidationReport,
} from '../../../signing/index.ts';
import type { ReportLanguage } from './check-text.ts';

/** The official validation site of Brazil's federal government. */
export const OFFICIAL_VALIDATION_SITE = 'https://validar.iti.gov.br';

/** The fixed words of a report. */
export interface ReportLabels {
  readonly title: string;
  readonly notice: string;
  readonly verdicts: Readonly<Record<Indication, string>>;
  /** A sentence about the whole file. */
  readonly summaries: Readonly<Record<Indication, string>>;
  /** Shown for a valid signature in a document with later visible changes, and for the whole file. */
  readonly changedSince: { readonly verdict: string; readonly summary: string };
  /** Appended to each verdict about an object below a test root, and to the sentence about the file. */
  readonly noLegalValue: { readonly verdict: string; readonly sentence: string };
  /** The rules that allow changes, by the strictest `P` of DocMDP; 0 for no certification. */
  readonly permissions: Readonly<Record<0 | 1 | 2 | 3, string>>;
  readonly kinds: Readonly<Record<ValidationReport['kind'], string>>;
  readonly roles: Readonly<Record<TimestampRole, string>>;
  readonly changeLevels: Readonly<Record<PdfSignatureReport['changeLevel'], string>>;
  readonly revocation: Readonly<Record<'good' | 'revoked' | 'unknown', string>>;
  readonly hierarchies: Readonly<Record<Hierarchy, string>>;
  readonly subIndications: Readonly<Record<SubIndication, string>>;
  readonly words: Readonly<Record<LabelWord, string>>;
}

export type LabelWord =
  | 'file'
  | 'size'
  | 'fileDigest'
  | 'content'
  | 'format'
  | 'standards'
  | 'validatedAt'
  | 'digest'
  | 'signature'
  | 'counterSignature'
  | 'timestamp'
  | 'holder'
  | 'number'
  | 'issuer'
  | 'verdict'
  | 'level'
  | 'levelProven'
  | 'claimedRoles'
  | 'place'
  | 'commitments'
  | 'contentHints'
  | 'nothingProven'
  | 'protectedUntil'
  | 'protectionEnded'
  | 'endOf'
  | 'policy'
  | 'claimedTime'
  | 'provenTime'
  | 'validationTime'
  | 'algorithm'
  | 'hierarchy'
  | 'field'
  | 'page'
  | 'revision'
  | 'certification'
  | 'reason'
  | 'location'
  | 'contact'
  | 'coverage'
  | 'wholeFile'
  | 'laterRevisions'
  | 'changes'
  | 'allowedBy'
  | 'checks'
  | 'chain'
  | 'until'
  | 'anchor'
  | 'stampAnchor'
  | 'staleTrust'
  | 'remedy'
  | 'remarks'
  | 'time'
  | 'authority'
  | 'unknownHolder'
  | 'hint'
  | 'official';

const portuguese: ReportLabels = {
  title: 'Relatório de validação de assinaturas',
  notice:
    'Este relatório é informativo. Ele não substitui a validação no site oficial do Instituto Nacional de Tecnologia ' +
    'da Informação (ITI).',
  verdicts: { 'TOTAL-PASSED': 'Válida', 'TOTAL-FAILED': 'Inválida', INDETERMINATE: 'Indeterminada' },
  summaries: {
    'TOTAL-PASSED': 'Todas as assinaturas são válidas.',
    'TOTAL-FAILED': 'Pelo menos uma assinatura é inválida.',
    INDETERMINATE: 'Não foi possível concluir se todas as assinaturas são válidas.',
  },
  changedSince: {
    verdict: 'Válida, com alteração posterior',
    summary: 'Todas as assinaturas são válidas, mas o documento mostra algo que não foi assinado.',
  },
  noLegalValue: {
    verdict: 'sem valor legal',
    sentence: 'É um teste: assinaturas e carimbos abaixo de uma raiz de testes não têm valor legal.',
  },
  permissions: {
    0: 'nenhuma certificação restringe o documento: formulários e anotações são livres',
    1: 'certificação que não permite alterações (DocMDP P=1)',
    2: 'certificação que permite preencher formulários e assinar (DocMDP P=2)',
    3: 'certificação que permite também anotações (DocMDP P=3)',
  },
  kinds: {
    'cms-attached': 'CMS/CAdES com conteúdo anexado',
    'cms-detached': 'CMS/CAdES separada do conteúdo',
    pdf: 'PDF',
    timestamp: 'Carimbo do tempo (RFC 3161)',
    'evidence-record': 'Registro de evidências (RFC 4998)',
  },
  roles: {
    signature: 'Carimbo do tempo da assinatura',
    archive: 'Carimbo do tempo de arquivamento',
    document: 'Carimbo do tempo do documento',
    content: 'Carimbo do tempo do conteúdo',
    references: 'Carimbo do tempo das referências',
    'evidence-record': 'Carimbo do tempo de um registro de evidências',
  },
  changeLevels: {
    none: 'sem alteração',
    'long-term-update': 'dados de validação de longo prazo',
    'form-filling': 'preenchimento de formulário ou assinatura',
    annotations: 'anotações',
    other: 'outra alteração',
  },
  revocation: { good: 'não revogado', revoked: 'revogado', unknown: 'revogação desconhecida' },
  hierarchies: {
    'ICP-Brasil': 'ICP-Brasil',
    'gov.br': 'gov.br (assinatura avançada, não qualificada)',
    test: 'teste, sem valor legal',
    other: 'outra, acrescentada neste computador',
  },
  subIndications: {
    FORMAT_FAILURE: 'formato incorreto',
    HASH_FAILURE: 'conteúdo alterado',
    SIG_CRYPTO_FAILURE: 'assinatura criptográfica incorreta',
    REVOKED: 'certificado revogado',
    EXPIRED: 'certificado expirado',
    NOT_YET_VALID: 'certificado ainda não válido',
    SIG_CONSTRAINTS_FAILURE: 'requisito da assinatura não atendido',
    CHAIN_CONSTRAINTS_FAILURE: 'requisito da cadeia não atendido',
    CERTIFICATE_CHAIN_GENERAL_FAILURE: 'falha na cadeia de certificados',
    CRYPTO_CONSTRAINTS_FAILURE: 'algoritmo fraco',
    POLICY_PROCESSING_ERROR: 'política de assinatura não processada',
    SIGNATURE_POLICY_NOT_AVAILABLE: 'política de assinatura não disponível',
    TIMESTAMP_ORDER_FAILURE: 'carimbos do tempo fora de ordem',
    NO_SIGNING_CERTIFICATE_FOUND: 'certificado do signatário não encontrado',
    NO_CERTIFICATE_CHAIN_FOUND: 'cadeia confiável não encontrada',
    NO_CERTIFICATE_CHAIN_FOUND_NO_POE: 'cadeia confiável não encontrada, sem prova de existência anterior',
    REVOKED_NO_POE: 'certificado revogado, sem prova de existência anterior',
    REVOKED_CA_NO_POE: 'autoridade revogada, sem prova de existência anterior',
    OUT_OF_BOUNDS_NOT_REVOKED: 'certificado fora da validade, não revogado',
    OUT_OF_BOUNDS_NO_POE: 'certificado fora da validade, sem prova de existência anterior',
    REVOCATION_OUT_OF_BOUNDS_NO_POE: 'dados de revogação fora da validade, sem prova de existência',
    CRYPTO_CONSTRAINTS_FAILURE_NO_POE: 'algoritmo fraco, sem prova de existência anterior',
    NO_POE: 'sem prova de existência',
    TRY_LATER: 'tente mais tarde',
    SIGNED_DATA_NOT_FOUND: 'documento assinado não informado',
  },
  words: {
    file: 'Arquivo',
    size: 'Tamanho',
    fileDigest: 'SHA-256',
    content: 'Documento',
    format: 'Formato',
    standards: 'Normas declaradas',
    validatedAt: 'Validado em',
    digest: 'SHA-256 do conteúdo',
    signature: 'Assinatura',
    counterSignature: 'Contra-assinatura',
    timestamp: 'Carimbo do tempo',
    holder: 'Titular',
    number: 'CPF/CNPJ',
    issuer: 'Emissor',
    verdict: 'Resultado',
    level: 'Nível',
    claimedRoles: 'Funções declaradas pelo signatário',
    place: 'Local declarado',
    commitments: 'Compromisso declarado',
    contentHints: 'Descrição declarada do conteúdo',
    levelProven: 'Nível provado agora',
    nothingProven: 'nenhum',
    protectedUntil: 'Protegida até',
    protectionEnded: 'A proteção terminou em',
    endOf: 'fim de:',
    policy: 'Política',
    claimedTime: 'Hora declarada',
    provenTime: 'Hora comprovada',
    validationTime: 'Avaliada em relação a',
    algorithm: 'Algoritmos',
    hierarchy: 'Hierarquia',
    field: 'Campo',
    page: 'Página',
    revision: 'Revisão',
    certification: 'Certificação do documento',
    reason: 'Motivo',
    location: 'Local',
    contact: 'Contato',
    coverage: 'Abrangência',
    wholeFile: 'o arquivo inteiro',
    laterRevisions: 'o arquivo até esta assinatura; há revisões posteriores',
    changes: 'Alterações posteriores',
    allowedBy: 'Permitidas por',
    checks: 'Verificações',
    chain: 'Cadeia de certificados',
    until: 'até',
    anchor: 'raiz confiável',
    staleTrust: 'Fim dos dados de confiança',
    stampAnchor: 'raiz confiável somente para carimbos do tempo',
    remedy: 'O que fazer',
    remarks: 'Sobre o arquivo',
    time: 'Hora',
    authority: 'Autoridade',
    unknownHolder: 'titular desconhecido',
    hint: 'Para que continue verificável por muito tempo, a assinatura ainda pode ser prolongada até o nível',
    official: 'Site oficial de validação',
  },
};

const english: ReportLabels = {
  title: 'Signature validation report',
  notice:
    'This report is for information only. It does not replace validation at the official site of the Brazilian National Institute of ' +
    'Information Technology (ITI).',
  verdicts: { 'TOTAL-PASSED': 'Valid', 'TOTAL-FAILED': 'Not valid', INDETERMINATE: 'Undetermined' },
  summaries: {
    'TOTAL-PASSED': 'All signatures are valid.',
    'TOTAL-FAILED': 'At least one signature is not valid.',
    INDETERMINATE: 'It could not be determined whether all signatures are valid.',
  },
  changedSince: {
    verdict: 'Valid, changed since',
    summary: 'All signatures are valid, but the document shows something that was not signed.',
  },
  noLegalValue: {
    verdict: 'no legal value',
    sentence: 'This is a test: signatures and time stamps below a test root have no legal value.',
  },
  permissions: {
    0: 'no certification restricts the document: forms and annotations are free',
    1: 'a certification that allows no changes (DocMDP P=1)',
    2: 'a certification that allows forms and signatures (DocMDP P=2)',
    3: 'a certification that also allows annotations (DocMDP P=3)',
  },
  kinds: {
    'cms-attached': 'CMS/CAdES with its content attached',
    'cms-detached': 'CMS/CAdES detached from its content',
    pdf: 'PDF',
    timestamp: 'Time stamp (RFC 3161)',
    'evidence-record': 'Evidence record (RFC 4998)',
  },
  roles: {
    signature: 'Signature time stamp',
    archive: 'Archive time stamp',
    document: 'Document time stamp',
    content: 'Content time stamp',
    references: 'References time stamp',
    'evidence-record': 'Time stamp of an evidence record',
  },
  changeLevels: {
    none: 'no change',
    'long-term-update': 'long-term validation data',
    'form-filling': 'form filled or signed',
    annotations: 'annotations',
    other: 'other change',
  },
  revocation: { good: 'not revoked', revoked: 'revoked', unknown: 'revocation unknown' },
  hierarchies: {
    'ICP-Brasil': 'ICP-Brasil',
    'gov.br': 'gov.br (advanced signature, not qualified)',
    test: 'test, without legal value',
    other: 'other, added on this computer',
  },
  subIndications: {
    FORMAT_FAILURE: 'wrong format',
    HASH_FAILURE: 'content changed',
    SIG_CRYPTO_FAILURE: 'wrong cryptographic signature',
    REVOKED: 'certificate revoked',
    EXPIRED: 'certificate expired',
    NOT_YET_VALID: 'certificate not yet valid',
    SIG_CONSTRAINTS_FAILURE: 'a requirement on the signature is not met',
    CHAIN_CONSTRAINTS_FAILURE: 'a requirement on the chain is not met',
    CERTIFICATE_CHAIN_GENERAL_FAILURE: 'the chain of certificates fails',
    CRYPTO_CONSTRAINTS_FAILURE: 'weak algorithm',
    POLICY_PROCESSING_ERROR: 'signature policy not processed',
    SIGNATURE_POLICY_NOT_AVAILABLE: 'signature policy not available',
    TIMESTAMP_ORDER_FAILURE: 'time stamps out of order',
    NO_SIGNING_CERTIFICATE_FOUND: "signer's certificate not found",
    NO_CERTIFICATE_CHAIN_FOUND: 'no trusted chain found',
    NO_CERTIFICATE_CHAIN_FOUND_NO_POE: 'no trusted chain found, no proof of existence',
    REVOKED_NO_POE: 'certificate revoked, no proof that the signature is older',
    REVOKED_CA_NO_POE: 'authority revoked, no proof that the signature is older',
    OUT_OF_BOUNDS_NOT_REVOKED: 'certificate outside its validity period, not revoked',
    OUT_OF_BOUNDS_NO_POE: 'certificate outside its validity period, no proof that the signature is older',
    REVOCATION_OUT_OF_BOUNDS_NO_POE: 'revocation data outside its validity period, no proof of existence',
    CRYPTO_CONSTRAINTS_FAILURE_NO_POE: 'weak algorithm, no proof that the signature is older',
    NO_POE: 'no proof of existence',
    TRY_LATER: 'try later',
    SIGNED_DATA_NOT_FOUND: 'signed document not provided',
  },
  words: {
    file: 'File',
    size: 'Size',
    fileDigest: 'SHA-256',
    content: 'Document',
    format: 'Format',
    standards: 'Standards claimed',
    validatedAt: 'Validated at',
    digest: 'SHA-256 of the content',
    signature: 'Signature',
    counterSignature: 'Counter-signature',
    timestamp: 'Time stamp',
    holder: 'Holder',
    number: 'CPF/CNPJ',
    issuer: 'Issuer',
    verdict: 'Result',
    level: 'Level',
    claimedRoles: 'Claimed roles',
    place: 'Claimed place',
    commitments: 'Claimed commitment',
    contentHints: 'Claimed description of the content',
    levelProven: 'Level proven now',
    nothingProven: 'none',
    protectedUntil: 'Protected until',
    protectionEnded: 'Protection ended on',
    endOf: 'end of:',
    policy: 'Policy',
    claimedTime: 'Claimed time',
    provenTime: 'Proven time',
    validationTime: 'Judged as of',
    algorithm: 'Algorithms',
    hierarchy: 'Hierarchy',
    field: 'Field',
    page: 'Page',
    revision: 'Revision',
    certification: 'Certification of the document',
    reason: 'Reason',
    location: 'Location',
    contact: 'Contact',
    coverage: 'Coverage',
    wholeFile: 'the whole file',
    laterRevisions: 'the file up to this signature; later revisions follow',
    changes: 'Later changes',
    allowedBy: 'Allowed by',
    checks: 'Checks',
    chain: 'Chain of certificates',
    until: 'until',
    anchor: 'trusted root',
    staleTrust: 'End of trust data',
    stampAnchor: 'root trusted for time stamps only',
    remedy: 'What to do',
    remarks: 'About the file',
    time: 'Time',
    authority: 'Authority',
    unknownHolder: 'unknown holder',
    hint: 'To stay verifiable in the long term, the signature can still be extended to level',
    official: 'Official validation site',
  },
};

export const REPORT_LABELS: Readonly<Record<ReportLanguage, ReportLabels>> = { 'pt-BR': portuguese, en: english };
