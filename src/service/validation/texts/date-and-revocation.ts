import type { ReportLanguage, TextsOf } from './check-text.ts';

export const dateAndRevocationTexts: TextsOf<'date' | 'revocation'> = {
  CERTIFICATE_IN_VALIDITY: {
    'pt-BR': ['O certificado está dentro da validade.'],
    en: ['The certificate is within its validity period.'],
  },
  CERTIFICATE_WAS_VALID: {
    'pt-BR': ['O certificado já expirou, mas está provado que a assinatura é anterior a isso.'],
    en: ['The certificate has expired, but the signature is proven to be older.'],
  },
  CERTIFICATE_EXPIRED: {
    'pt-BR': [
      'O certificado expirou, e nada prova que a assinatura é anterior a isso.',
      'Peça um documento com carimbo do tempo, ou uma assinatura nova com um certificado válido.',
    ],
    en: [
      'The certificate has expired, and nothing proves that the signature was made before.',
      'Ask for a document with a time stamp, or for a new signature with a valid certificate.',
    ],
  },
  SIGNED_AFTER_EXPIRY: {
    'pt-BR': [
      'A assinatura foi feita depois que o certificado expirou.',
      'Peça uma assinatura nova com um certificado válido.',
    ],
    en: [
      'The signature was made after the certificate had expired.',
      'Ask for a new signature with a valid certificate.',
    ],
  },
  CERTIFICATE_NOT_YET_VALID: {
    'pt-BR': [
      'A validade do certificado ainda não tinha começado quando a assinatura foi feita.',
      'Confira o relógio do computador; se estiver certo, peça uma assinatura nova.',
    ],
    en: [
      'The certificate was not valid yet when the signature was made.',
      "Check this computer's clock; if the clock is right, ask for a new signature.",
    ],
  },
  CLAIMED_TIME_AFTER_TIMESTAMP: {
    'pt-BR': [
      'A hora declarada pelo signatário é posterior à do carimbo do tempo.',
      'Considere a hora do carimbo; o relógio do signatário estava errado.',
    ],
    en: [
      'The time that the signer claims is later than the time of the time stamp.',
      "Rely on the time stamp: the signer's clock was wrong.",
    ],
  },
  CLAIMED_TIME_OUT_OF_VALIDITY: {
    'pt-BR': [
      'A hora declarada pelo signatário está fora da validade do certificado.',
      'A hora declarada não prova nada; o relógio do signatário pode estar errado.',
    ],
    en: [
      'The time that the signer claims is outside the validity period of the certificate.',
      "A claimed time proves nothing; the signer's clock may be wrong.",
    ],
  },
  CLAIMED_TIME_IN_FUTURE: {
    'pt-BR': [
      'A hora declarada pelo signatário está no futuro.',
      'Confira o relógio deste computador; se estiver certo, o do signatário estava errado.',
    ],
    en: [
      'The time that the signer claims is in the future.',
      "Check this computer's clock; if it is right, the signer's clock was wrong.",
    ],
  },
  NOT_REVOKED: {
    'pt-BR': ['O certificado não está revogado.'],
    en: ['The certificate is not revoked.'],
  },
  REVOKED_AFTER_SIGNING: {
    'pt-BR': ['O certificado foi revogado, mas está provado que a assinatura é anterior a isso.'],
    en: ['The certificate was revoked, but the signature is proven to be older.'],
  },
  CERTIFICATE_REVOKED: {
    'pt-BR': [
      'O certificado está revogado, e nada prova que a assinatura é anterior a isso.',
      'Não confie nesta assinatura sem falar com o signatário; peça uma assinatura nova.',
    ],
    en: [
      'The certificate is revoked, and nothing proves that the signature was made before.',
      'Do not rely on this signature without talking to the signer; ask for a new one.',
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
      'Valide de novo mais tarde, quando a suspensão tiver sido encerrada ou convertida em revogação.',
    ],
    en: ['The certificate is on hold.', 'Validate again later, when the hold has ended or has become a revocation.'],
  },
  AUTHORITY_REVOKED: {
    'pt-BR': [
      'O certificado de uma autoridade da cadeia está revogado.',
      'Peça uma assinatura nova com um certificado de outra autoridade.',
    ],
    en: [
      'The certificate of an authority in the chain is revoked.',
      'Ask for a new signature with a certificate of another authority.',
    ],
  },
  REVOCATION_NOT_ASKED: {
    'pt-BR': [
      'Não foi consultado se o certificado está revogado, porque esta validação não usa a rede.',
      'Valide de novo com acesso à rede.',
    ],
    en: [
      'Whether the certificate is revoked was not asked, because this validation does not use the network.',
      'Validate again with access to the network.',
    ],
  },
  REVOCATION_UNREACHABLE: {
    'pt-BR': [
      'Não foi possível saber se o certificado está revogado: nenhum servidor respondeu.',
      'Verifique a conexão com a internet e valide de novo.',
    ],
    en: [
      'Whether the certificate is revoked could not be determined: no server answered.',
      'Check the internet connection and validate again.',
    ],
  },
  REVOCATION_STALE: {
    'pt-BR': [
      'Os dados de revogação disponíveis não cobrem o momento em questão.',
      'Valide de novo mais tarde, com acesso à rede.',
    ],
    en: [
      'The available revocation data does not cover the time in question.',
      'Validate again later, with access to the network.',
    ],
  },
  REVOCATION_ANSWER_WITHOUT_DATA: {
    'pt-BR': [
      'Não foi possível saber se o certificado está revogado: o servidor respondeu, mas não com uma lista de revogação.',
      'Talvez a rede peça um login: abra uma página no navegador e valide de novo; se o problema persistir, avise o emissor.',
    ],
    en: [
      'Whether the certificate is revoked could not be determined: the server answered, but with no revocation list.',
      'Perhaps the network asks for a login: open a page in the browser and validate again; if the problem persists, tell the issuer.',
    ],
  },
  REVOCATION_SOURCE_NOT_ASKED: {
    'pt-BR': [
      'O certificado informa os seus dados de revogação apenas por LDAP, que o Sinete não consulta.',
      'Pergunte ao emissor do certificado se ele continua válido, ou valide com a lista de revogação na assinatura.',
    ],
    en: [
      'The certificate names its revocation data only by LDAP, which Sinete does not ask.',
      'Ask the issuer of the certificate whether it is still valid, or validate a signature that carries the list.',
    ],
  },
  REVOCATION_SOURCE_MISSING: {
    'pt-BR': [
      'O certificado não informa onde estão os seus dados de revogação.',
      'Pergunte ao emissor do certificado se ele continua válido.',
    ],
    en: [
      'The certificate does not say where to find its revocation data.',
      'Ask the issuer of the certificate whether it is still valid.',
    ],
  },
  REVOCATION_DATA_UNUSABLE: {
    'pt-BR': [
      'Os dados de revogação estão danificados, têm uma assinatura incorreta ou são de outro certificado.',
      'Valide de novo mais tarde; se o problema persistir, avise o emissor do certificado.',
    ],
    en: [
      'The revocation data is damaged, has a wrong signature, or belongs to another certificate.',
      'Validate again later; if the problem persists, tell the issuer of the certificate.',
    ],
  },
  REVOCATION_NOT_CHECKED_SINCE: {
    'pt-BR': [
      'A situação do certificado da autoridade de carimbo do tempo foi consultada no momento do carimbo, e não depois.',
      'Valide com acesso à rede, se a autoridade ainda responder.',
    ],
    en: [
      'The status of the time-stamp authority’s certificate was checked at the time of the time stamp, and not since.',
      'Validate with access to the network, if the authority still answers.',
    ],
  },
  REVOCATION_OLDER_THAN_SIGNATURE: {
    'pt-BR': [
      'Os dados de revogação são anteriores à assinatura: uma revogação entre um momento e outro não aparece neles.',
      'Prolongue a assinatura (sinete extend) quando houver dados mais novos.',
    ],
    en: [
      'The revocation data is older than the signature, so it does not show a revocation in between.',
      'Extend the signature (sinete extend) when newer data is available.',
    ],
  },
  REVOCATION_SIGNER_EXPIRED: {
    'pt-BR': [
      'O certificado de quem assinou os dados de revogação expirou, e nada prova que os dados são anteriores a isso.',
      'Valide de novo com acesso à rede, para obter dados novos.',
    ],
    en: [
      'The certificate that signed the revocation data has expired, and nothing proves that the data is older.',
      'Validate again with access to the network, so that new data is fetched.',
    ],
  },
};

/** Remedy when revocation data for a test certificate is missing: the test authority's services run on this computer. */
export const TEST_SERVICES_SILENT: Readonly<Record<ReportLanguage, string>> = {
  'pt-BR': 'É um certificado de teste: inicie os serviços de teste (sinete test-services) e valide de novo.',
  en: 'It is a test certificate: start the test services (sinete test-services) and validate again.',
};
