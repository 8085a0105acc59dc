import type { TextsOf } from './check-text.ts';

export const certificateAndTrustTexts: TextsOf<'certificate' | 'trust'> = {
  SIGNER_CERTIFICATE_FOUND: {
    'pt-BR': ['O certificado do signatário foi encontrado.'],
    en: ["The signer's certificate was found."],
  },
  SIGNER_CERTIFICATE_MISSING: {
    'pt-BR': [
      'O certificado do signatário não está na assinatura.',
      'Peça ao signatário que assine incluindo o seu certificado.',
    ],
    en: [
      "The signer's certificate is not in the signature.",
      'Ask the signer to sign again and to include the certificate.',
    ],
  },
  SIGNER_CERTIFICATE_NOT_NAMED: {
    'pt-BR': [
      'A assinatura declara ter sido feita com outro certificado.',
      'Não confie nesta assinatura: o certificado pode ter sido trocado.',
    ],
    en: [
      'The signature says that it was made with another certificate.',
      'Do not rely on this signature: the certificate may have been replaced.',
    ],
  },
  SIGNING_CERTIFICATE_ATTRIBUTE_RIGHT: {
    'pt-BR': ['A assinatura indica o certificado com que foi feita.'],
    en: ['The signature names the certificate with which it was made.'],
  },
  SIGNING_CERTIFICATE_ISSUER_DIFFERS: {
    'pt-BR': [
      'A assinatura indica o certificado correto pelo resumo criptográfico, mas com outro emissor ou número de série.',
      'Nada a fazer: o resumo identifica o certificado. Se puder, avise o fabricante do programa que assinou.',
    ],
    en: [
      'The signature names the right certificate by its hash, but with a different issuer or serial number.',
      'There is nothing to do: the hash identifies the certificate. If you can, report it to the maker of the signing program.',
    ],
  },
  SIGNING_CERTIFICATE_ATTRIBUTE_MISSING: {
    'pt-BR': [
      'A assinatura não indica o certificado com que foi feita: é uma assinatura CMS simples, sem a proteção do CAdES.',
      'Para novas assinaturas, prefira CAdES ou PAdES.',
    ],
    en: [
      'The signature does not name the certificate with which it was made: it is plain CMS without the protection of CAdES.',
      'For new signatures, prefer CAdES or PAdES.',
    ],
  },
  SIGNING_CERTIFICATE_ATTRIBUTE_REQUIRED: {
    'pt-BR': [
      'O formato da assinatura exige a indicação do certificado com que ela foi feita, e essa indicação falta.',
      'Peça ao signatário que assine novamente com um programa que siga o padrão.',
    ],
    en: [
      'The signature does not name its certificate, although its format requires this.',
      'Ask the signer to sign again with a program that follows the standard.',
    ],
  },
  CERTIFICATE_PURPOSE_RIGHT: {
    'pt-BR': ['O certificado serve para assinar documentos.'],
    en: ['The certificate was issued for signing documents.'],
  },
  CERTIFICATE_PURPOSE_WRONG: {
    'pt-BR': [
      'O certificado não foi emitido para assinar documentos.',
      'Peça ao signatário que assine com um certificado de assinatura.',
    ],
    en: [
      'The certificate was not issued for signing documents.',
      'Ask the signer to sign with a certificate for signatures.',
    ],
  },
  CHAIN_TRUSTED: {
    'pt-BR': ['A cadeia de certificados termina em uma raiz confiável.'],
    en: ['The chain of certificates ends in a trusted root.'],
  },
  CHAIN_INCOMPLETE: {
    'pt-BR': [
      'Falta o certificado de uma autoridade da cadeia, e ele não pôde ser obtido.',
      'Importe os certificados da cadeia em Configurações (sinete trust update) e valide de novo com acesso à rede.',
    ],
    en: [
      'The certificate of an authority in the chain is missing and could not be obtained.',
      'Import the certificates of the chain in Settings (sinete trust update), and validate again with network access.',
    ],
  },
  ROOT_NOT_TRUSTED: {
    'pt-BR': [
      'A cadeia termina em uma raiz que não é confiável neste computador.',
      'Se for a raiz da ICP-Brasil, atualize as raízes (sinete trust update); se for outra, só a importe se confiar nela.',
    ],
    en: [
      'The chain ends in a root that is not trusted on this computer.',
      'If it is a root of ICP-Brasil, update the roots (sinete trust update); import another one only if you trust it.',
    ],
  },
  AUTHORITY_REFUSED: {
    'pt-BR': [
      'Uma autoridade da cadeia foi recusada neste computador.',
      'Só a aceite de novo em Configurações (sinete trust accept) se confiar nela.',
    ],
    en: [
      'An authority in the chain is refused on this computer.',
      'Accept it again in Settings (sinete trust accept) only if you trust it.',
    ],
  },
  ROOT_EXPIRED: {
    'pt-BR': [
      'A raiz confiável já expirou, e nada prova que a assinatura é anterior a isso.',
      'Peça um documento com carimbo do tempo ou uma assinatura nova.',
    ],
    en: [
      'The trusted root has expired, and nothing proves that the signature was made before.',
      'Ask for a document with a time stamp, or for a new signature.',
    ],
  },
  AUTHORITY_OUT_OF_VALIDITY: {
    'pt-BR': [
      'O certificado de uma autoridade da cadeia estava fora da validade.',
      'Peça um documento com carimbo do tempo ou uma assinatura nova.',
    ],
    en: [
      'The certificate of an authority in the chain was outside its validity period.',
      'Ask for a document with a time stamp, or for a new signature.',
    ],
  },
  CHAIN_RULE_BROKEN: {
    'pt-BR': [
      'A cadeia de certificados viola uma regra: uma autoridade emitiu um certificado que não podia emitir.',
      'Não confie nesta assinatura e avise quem a enviou.',
    ],
    en: [
      'The chain of certificates breaks a rule: an authority was not allowed to issue this certificate.',
      'Do not rely on this signature, and tell its sender.',
    ],
  },
  CHAIN_TOO_COMPLEX: {
    'pt-BR': [
      'Há caminhos demais entre o certificado e as raízes para que todos sejam tentados.',
      'Verifique a assinatura no site oficial de validação.',
    ],
    en: [
      'There are too many paths between the certificate and the roots to try them all.',
      'Check the signature at the official validation site.',
    ],
  },
  HIERARCHY_ICP_BRASIL: {
    'pt-BR': ['O certificado é da ICP-Brasil: assinatura qualificada (Lei 14.063/2020).'],
    en: ['The certificate belongs to ICP-Brasil: a qualified signature (Lei 14.063/2020).'],
  },
  HIERARCHY_GOV_BR: {
    'pt-BR': ['O certificado é do gov.br: assinatura avançada, e não qualificada (Lei 14.063/2020).'],
    en: ['The certificate belongs to gov.br: an advanced signature, not a qualified signature (Lei 14.063/2020).'],
  },
  HIERARCHY_TEST: {
    'pt-BR': [
      'O certificado é de teste: a assinatura não tem valor legal.',
      'Use-a somente para testes; para ter valor legal, assine com um certificado da ICP-Brasil.',
    ],
    en: [
      'This is a test certificate: the signature has no legal value.',
      'Use it for tests only; for legal value, sign with a certificate of ICP-Brasil.',
    ],
  },
  HIERARCHY_OTHER: {
    'pt-BR': ['A raiz é de outra hierarquia, confiável porque foi importada neste computador.'],
    en: ['The root belongs to another hierarchy, trusted because it was imported on this computer.'],
  },
};
