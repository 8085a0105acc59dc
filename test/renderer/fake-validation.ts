import type { CertificateInspection, CertificateView, ValidationView } from '../../src/ui-contract/ui-contract.ts';
import { signedPage } from './changed-pdf.ts';
import { inDays, sha256 } from './fake-data.ts';

type Report = ValidationView['report'];
type Signature = Report['signatures'][number];
type Language = Report['language'];
type Verdict = Pick<Signature, 'indication' | 'subIndication' | 'verdict' | 'sentence'>;

const words = {
  'pt-BR': {
    title: 'Relatório de validação de assinaturas',
    passed: { verdict: 'Válida', sentence: 'A cadeia termina em uma raiz da ICP-Brasil.' },
    failed: { verdict: 'Inválida', sentence: 'O conteúdo foi alterado depois da assinatura.' },
    unknown: { verdict: 'Indeterminada', sentence: 'O documento desta assinatura não foi informado.' },
    changed: {
      verdict: 'Válida, com alteração posterior',
      sentence: 'A assinatura permite o que foi acrescentado depois dela.',
    },
    changedSentence: 'Todas as assinaturas são válidas, mas o documento mostra algo que não foi assinado.',
    covering: 'Revisão 3, página 1: Foi acrescentada uma anotação que pode cobrir a página. (anotações)',
    allowedBy: 'Permitidas por: nenhuma certificação restringe o documento: formulários e anotações são livres',
    all: 'Todas as assinaturas são válidas.',
    one: 'Pelo menos uma assinatura é inválida.',
    none: 'Não foi possível concluir se todas as assinaturas são válidas.',
    remedy: 'Peça o documento original a quem assinou.',
    notice: 'Este relatório não substitui a validação no site oficial do ITI.',
    label: 'Validação oficial',
    issuer: 'Emissor',
    format: 'Formato',
    root: 'raiz confiável',
    timeStamp: 'Carimbo do tempo da assinatura',
    replaced: 'Revisão 2, página 3: conteúdo trocado',
    hint: 'Para que continue verificável por muito tempo, a assinatura ainda pode ser prolongada até o nível B-LT.',
  },
  en: {
    title: 'Signature validation report',
    passed: { verdict: 'Valid', sentence: 'The chain ends in a root of ICP-Brasil.' },
    failed: { verdict: 'Not valid', sentence: 'The content was changed after signing.' },
    unknown: { verdict: 'Undetermined', sentence: 'The document of this signature was not given.' },
    changed: {
      verdict: 'Valid, changed since',
      sentence: 'The signature allows the content that was added later.',
    },
    changedSentence: 'All signatures are valid, but the document shows something that was not signed.',
    covering: 'Revision 3, page 1: An annotation that can cover the page was added. (annotations)',
    allowedBy: 'Allowed by: no certification restricts the document: forms and annotations are free',
    all: 'All signatures are valid.',
    one: 'At least one signature is not valid.',
    none: 'It could not be concluded whether all signatures are valid.',
    remedy: 'Ask the signer for the original document.',
    notice: 'This report does not replace the validation on the official site of the ITI.',
    label: 'Official validation',
    issuer: 'Issuer',
    format: 'Format',
    root: 'trusted root',
    timeStamp: 'Signature time stamp',
    replaced: 'Revision 2, page 3: content replaced',
    hint: 'To stay verifiable in the long term, the signature can still be extended to level B-LT.',
  },
} as const;

type Outcome = 'passed' | 'failed' | 'unknown' | 'changed';

const indications = {
  passed: { indication: 'TOTAL-PASSED', subIndication: null },
  failed: { indication: 'TOTAL-FAILED', subIndication: 'HASH_FAILURE' },
  changed: { indication: 'TOTAL-PASSED', subIndication: null },
  unknown: { indication: 'INDETERMINATE', subIndication: 'SIGNED_DATA_NOT_FOUND' },
} as const;

const verdictOf = (outcome: Outcome, language: Language): Verdict => ({
  ...indications[outcome],
  ...words[language][outcome],
});

const check = (
  code: string,
  outcome: Signature['checks'][number]['outcome'],
  finding: string,
  remedy: string | null,
): Signature['checks'][number] => ({
  code,
  area: 'integrity',
  outcome,
  finding,
  remedy,
  detail: null,
});

const chainIn = (language: Language): Signature['chain'] =>
  ['Maria da Silva Teste', 'AC Exemplo RFB G5', 'Autoridade Certificadora Raiz'].map((name, index) => ({
    name,
    notBefore: inDays(-400),
    notAfter: inDays(300 * (index + 1)),
    role: index === 2 ? words[language].root : null,
    revocation: index === 2 ? null : 'good',
    evidence: index === 2 ? null : 'CRL',
    revokedAt: null,
  }));

function signatureOf(outcome: Outcome, language: Language): Signature {
  const verdict = verdictOf(outcome, language);
  const own = words[language];
  const chain = chainIn(language);
  const title = language === 'en' ? 'Signature 1' : 'Assinatura 1';
  return {
    id: '1',
    title: `${title}: Maria da Silva Teste`,
    holder: 'Maria da Silva Teste',
    taxpayerNumber: '***.982.247-**',
    hierarchy: 'ICP-Brasil',
    level: 'B-T',
    levelProven: 'B-T',
    ...verdict,
    rows: [
      { label: own.issuer, value: 'AC Exemplo RFB G5' },
      { label: own.format, value: 'PAdES' },
    ],
    checks: [
      check('CHAIN_TRUSTED', 'passed', words[language].passed.sentence, null),
      ...(outcome === 'passed' || outcome === 'changed'
        ? []
        : [check('HASH_MISMATCH', 'failed', verdict.sentence, words[language].remedy)]),
    ],
    chain,
    timestamps: [
      {
        title: own.timeStamp,
        time: inDays(-1),
        authority: 'ACT Exemplo',
        ...verdictOf('passed', language),
        checks: [],
        chain: chain.slice(1),
      },
    ],
    changes:
      outcome === 'failed'
        ? [
            {
              revision: 2,
              page: 3,
              level: 'other',
              code: 'PAGE_CONTENT_CHANGED',
              isShown: true,
              text: own.replaced,
            },
          ]
        : outcome === 'changed'
          ? [
              {
                revision: 3,
                page: 1,
                level: 'annotations',
                code: 'COVERING_ANNOTATION_ADDED',
                isShown: true,
                text: words[language].covering,
              },
            ]
          : [],
    changedSince: outcome === 'changed',
    allowedBy: outcome === 'changed' ? words[language].allowedBy : null,
    signedSize: outcome === 'changed' ? signedPage.length : null,
    fieldName: 'Assinatura',
    counterSignatures: [],
    hint: outcome === 'passed' ? own.hint : null,
    raisesTo: outcome === 'passed' ? 'B-LT' : null,
  };
}

const outcomeOfName = (name: string): Outcome =>
  /adulterado|tampered/.test(name) ? 'failed' : name.includes('anotado') ? 'changed' : 'passed';

/**
 * A validation of a file; its name tells the outcome: `adulterado` or `tampered` fails, `anotado` was changed since, a signature
 * without document is unknown.
 */
export function validationOf(
  id: string,
  names: { readonly file: string; readonly content: string | null },
  language: Language,
): ValidationView {
  const needsDocument = names.file.endsWith('.p7s') && names.content === null;
  const outcome = needsDocument ? 'unknown' : outcomeOfName(names.file);
  const own = words[language];
  const whole = { passed: own.all, failed: own.one, unknown: own.none, changed: own.changedSentence }[outcome];
  return {
    id,
    fileName: names.file,
    contentName: names.content,
    status: outcome === 'passed' || outcome === 'changed',
    report: {
      language,
      title: own.title,
      ...verdictOf(outcome, language),
      subIndication: null,
      sentence: whole,
      rows: [{ label: 'Arquivo', value: names.file }],
      signatures: [signatureOf(outcome, language)],
      documentTimestamps: [],
      changedSince: outcome === 'changed',
      revisionEnds: [],
      remarks: [],
      notice: { text: own.notice, label: own.label, url: 'https://validar.iti.gov.br' },
    },
  };
}

/** The details of a listed certificate. The expired certificate is no longer valid. */
export function inspectionOf(certificate: CertificateView): CertificateInspection {
  const expired = certificate.validity === 'expired';
  return {
    alias: certificate.alias,
    detail: {
      date: expired
        ? { status: false, code: 1188, message: 'Date of certificate is not valid' }
        : { status: true, code: 1187, message: 'Date of certificate is valid' },
      crl: { status: false, code: 1193, message: 'It could not be determined. The list cannot be fetched.' },
      trust: { status: true, code: 1189, message: 'Chain of certificate is trusted', chain: 'Maria > AC > Raiz' },
    },
    certificate: {
      version: 'v3',
      dn: `CN=${certificate.holder}, OU=RFB e-CPF A1, O=ICP-Brasil, C=BR`,
      cn: certificate.holder,
      basicConstraints: { cA: false },
      validity: { notBefore: '2026-01-01T00:00:00+0000', notAfter: '2027-01-01T00:00:00+0000' },
      keyIdentifier: 'q83vEjRWeJA=',
      fingerprint: sha256(certificate.alias).slice(0, 40),
      fingerprint_sha256: certificate.fingerprint,
      keyUsage: ['digitalSignature', 'nonRepudiation', 'keyEncipherment'],
      extKeyUsage: ['clientAuth', 'emailProtection'],
      serialNumberHex: '3f9a77c21d08e4b5',
      algorithm: 'RSA',
      policy: {
        oid: '2.16.76.1.2.1.13',
        dpc: 'http://repositorio.exemplo.com.br/dpc.pdf',
        name: 'DPC da AC Exemplo',
        type: 'A1',
      },
      signature: 'sha256WithRSAEncryption',
      publicKey: { algorithm: 'RSA', bits: 2048, pem: '-----BEGIN PUBLIC KEY-----\n' },
      issuer: {
        crl: ['http://lcr.exemplo.com.br/ac.crl'],
        dn: `CN=${certificate.issuer}, O=ICP-Brasil, C=BR`,
        cn: certificate.issuer,
        aia: 'http://ca.exemplo.com.br/ac.p7b',
        keyIdentifier: 'EjRWeJCrze8=',
        fingerprint: null,
      },
      subject: {
        email: 'maria@exemplo.com.br',
        dataNascimento: '1985-04-09',
        cpf: '52998224725',
        nis: '12345678901',
        rg: { numero: '1234567', emissor: 'SSP', uf: 'SP' },
        cei: null,
        tituloEleitor: { numero: '123456789012', zona: '001', secao: '0002', municipio: 'São Paulo', uf: 'SP' },
        cnpj: null,
        razaoSocial: null,
        responsavel: null,
      },
      hierarchy: 'ICP-Brasil',
    },
    pem: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
    chain: [certificate.holder, certificate.issuer, 'AC Secretaria da Receita Federal', 'AC Raiz Brasileira v5'].map(
      (name, index) => ({
        name,
        notBefore: inDays(-400),
        notAfter: inDays(400 * (index + 1)),
        fingerprint: sha256(`${certificate.alias} ${index}`),
      }),
    ),
  };
}
