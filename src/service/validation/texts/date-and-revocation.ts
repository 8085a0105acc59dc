import type { ReportLanguage, TextsOf } from './check-text.ts';

export const dateAndRevocationTexts: TextsOf<'date' | 'revocation'> = {
  CERTIFICATE_IN_VALIDITY: {
    'pt-BR': ['O certificado está dentro da validade.'],
    en: ['The certificate is within its validity.'],
  },
  CERTIFICATE_WAS_VALID: {
    'pt-BR': ['O certificado já expirou, mas está provado que a assinatura é anterior a isso.'],
    en: ['The certificate has expired, but it is proven that the signature is older.'],
  },
  CERTIFICATE_EXPIRED: {
    'pt-BR': [
      'O certificado expirou, e nada prova que a assinatura é anterior a isso.',
      'Peça um documento com carimbo do tempo, ou uma assinatura nova com um certificado válido.',
    ],
    en: [
      'The certificate has expired, and nothing proves that the signature is older.',
      'Ask for a document with a time stamp, or for a fresh signature with a valid certificate.',
    ],
  },
  SIGNED_AFTER_EXPIRY: {
    'pt-BR': [
      'A assinatura foi feita depois que o certificado expirou.',
      'Peça uma assinatura nova com um certificado válido.',
    ],
    en: [
      'The signature was made after the certificate had expired.',
      'Ask for a fresh signature with a valid certificate.',
    ],
  },
  CERTIFICATE_NOT_YET_VALID: {
    'pt-BR': [
      'A validade do certificado ainda não tinha começado quando a assinatura foi feita.',
      'Confira o relógio do computador; se estiver certo, peça uma assinatura nova.',
    ],
    en: [
      "The certificate's validity had not begun when the signature was made.",
      "Check this computer's clock; if it is right, ask for a fresh signature.",
    ],
  },
  CLAIMED_TIME_AFTER_TIMESTAMP: {
    'pt-BR': [
      'A hora declarada pelo signatário é posterior à do carimbo do tempo.',
      'Considere a hora do carimbo; o relógio do signatário estava errado.',
    ],
    en: [
      'The time that the signer claims is later than that of the time stamp.',
      "Go by the time stamp; the signer's clock was wrong.",
    ],
  },
  CLAIMED_TIME_OUT_OF_VALIDITY: {
    'pt-BR': [
      'A hora declarada pelo signatário está fora da validade do certificado.',
      'A hora declarada não prova nada; desconfie do relógio do signatário.',
    ],
    en: [
      'The time that the signer claims is not within the validity of the certificate.',
      "A claimed time proves nothing; the signer's clock may be wrong.",
    ],
  },
  CLAIMED_TIME_IN_FUTURE: {
    'pt-BR': [
      'A hora declarada pelo signatário está no futuro.',
      'Confira o relógio deste computador; se estiver certo, o do signatário não estava.',
    ],
    en: [
      'The time that the signer claims is in the future.',
      "Check this computer's clock; if it is right, the signer's was not.",
    ],
  },
  NOT_REVOKED: {
    'pt-BR': ['O certificado não está revogado.'],
    en: ['The certificate is not revoked.'],
  },
  REVOKED_AFTER_SIGNING: {
    'pt-BR': ['O certificado foi revogado, mas está provado que a assinatura é anterior a isso.'],
    en: ['The certificate was revoked, but it is proven that the signature is older.'],
  },
  CERTIFICATE_REVOKED: {
    'pt-BR': [
      'O certificado está revogado, e nada prova que a assinatura é anterior a isso.',
      'Não confie nesta assinatura sem falar com o signatário; peça uma assinatura nova.',
    ],
    en: [
      'The certificate is revoked, and nothing proves that the signature is older.',
      'Do not rely on this signature without talking to the signer; ask for a fresh one.',
    ],
  },
  SIGNED_AFTER_REVOCATION: {
    'pt-BR': [
      'A assinatura foi feita depois que o certificado foi revogado.',
      'Não confie nesta assinatura: a chave pode estar em mãos de outra pessoa.',
    ],
    en: [
      'The signature was made after the certificate had been revoked.',
      'Do not rely on this signature: somebody else may have the key.',
    ],
  },
  CERTIFICATE_ON_HOLD: {
    'pt-BR': [
      'O certificado está suspenso.',
      'Valide de novo mais tarde, quando a suspensão tiver terminado ou virado revogação.',
    ],
    en: [
      'The certificate is on hold.',
      'Validate again later, when the hold has been lifted or has become a revocation.',
    ],
  },
  AUTHORITY_REVOKED: {
    'pt-BR': [
      'O certificado de uma autoridade da cadeia está revogado.',
      'Peça uma assinatura nova com um certificado de outra autoridade.',
    ],
    en: [
      'The certificate of an authority of the chain is revoked.',
      'Ask for a fresh signature with a certificate of another authority.',
    ],
  },
  REVOCATION_UNREACHABLE: {
    'pt-BR': [
      'Não foi possível saber se o certificado está revogado: ninguém respondeu.',
      'Verifique a conexão com a internet e valide de novo.',
    ],
    en: [
      'Whether the certificate is revoked could not be found out: nobody answered.',
      'Check the connection to the internet and validate again.',
    ],
  },
  REVOCATION_STALE: {
    'pt-BR': [
      'Os dados de revogação disponíveis não alcançam o momento em questão.',
      'Valide de novo mais tarde, com acesso à rede.',
    ],
    en: [
      'The revocation data that there is does not reach the time in question.',
      'Validate again later, with access to the network.',
    ],
  },
  REVOCATION_SOURCE_MISSING: {
    'pt-BR': [
      'O certificado não diz onde estão os seus dados de revogação.',
      'Pergunte ao emissor do certificado se ele continua válido.',
    ],
    en: [
      'The certificate does not say where its revocation data is.',
      'Ask the issuer of the certificate whether it is still valid.',
    ],
  },
  REVOCATION_DATA_UNUSABLE: {
    'pt-BR': [
      'Os dados de revogação estão danificados, mal assinados ou são de outro certificado.',
      'Valide de novo mais tarde; se continuar assim, avise o emissor do certificado.',
    ],
    en: [
      'The revocation data is damaged, wrongly signed or about another certificate.',
      'Validate again later; if it stays so, tell the issuer of the certificate.',
    ],
  },
  REVOCATION_NOT_CHECKED_SINCE: {
    'pt-BR': [
      'A situação do certificado da autoridade do carimbo do tempo é a do momento do carimbo; ninguém a consultou depois.',
      'Valide com acesso à rede, se a autoridade ainda responder.',
    ],
    en: [
      'The status of the time-stamp authority’s certificate is that of the time stamp; nobody has asked since.',
      'Validate with access to the network, if the authority still answers.',
    ],
  },
  REVOCATION_OLDER_THAN_SIGNATURE: {
    'pt-BR': [
      'Os dados de revogação são anteriores à assinatura: uma revogação ocorrida nesse intervalo não aparece neles.',
      'Estenda a assinatura (sinete extend) quando houver dados mais novos.',
    ],
    en: [
      'The revocation data is older than the signature: a revocation in between is not in it.',
      'Extend the signature (sinete extend) when newer data is to be had.',
    ],
  },
  REVOCATION_SIGNER_EXPIRED: {
    'pt-BR': [
      'Quem assinou os dados de revogação tem certificado expirado, e nada prova que os dados são anteriores a isso.',
      'Valide de novo com acesso à rede, para obter dados novos.',
    ],
    en: [
      'The certificate of whoever signed the revocation data has expired, and nothing proves that the data is older.',
      'Validate again with access to the network, so that fresh data is fetched.',
    ],
  },
};

/** The remedy for a certificate of the test authority without revocation data: its services run on this computer. */
export const TEST_SERVICES_SILENT: Readonly<Record<ReportLanguage, string>> = {
  'pt-BR': 'É um certificado de teste: inicie os serviços de teste (sinete test-services) e valide de novo.',
  en: 'It is a test certificate: start the test services (sinete test-services) and validate again.',
};
