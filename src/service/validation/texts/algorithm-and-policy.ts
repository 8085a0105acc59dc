import type { ReportLanguage, TextsOf } from './check-text.ts';

const FOLLOW_POLICY = {
  'pt-BR': 'Peça ao signatário que assine de novo sob a versão atual da política.',
  en: 'Ask the signer to sign again under the current version of the policy.',
} as const;

export const algorithmAndPolicyTexts: TextsOf<'algorithm' | 'policy'> = {
  ALGORITHMS_STRONG: {
    'pt-BR': ['Os algoritmos usados são seguros.'],
    en: ['The algorithms are strong.'],
  },
  ALGORITHM_WAS_STRONG: {
    'pt-BR': [
      'Um dos algoritmos usados hoje é fraco, mas está provado que a assinatura foi feita quando ele era seguro.',
    ],
    en: ['One of the algorithms is weak today, but the signature is proven to date from a time when it was strong.'],
  },
  ALGORITHM_NOT_LISTED: {
    'pt-BR': [
      'A norma ETSI TS 119 312 só lista o algoritmo (Ed25519 ou Ed448) desde a versão 2.1.1, de 2026: validadores da União Europeia podem ainda não aceitá-lo.',
      'Se o documento for para a União Europeia, assine com uma chave RSA ou de curva elíptica.',
    ],
    en: [
      'ETSI TS 119 312 lists the algorithm (Ed25519 or Ed448) only since V2.1.1, of 2026: validators in the EU may not accept it yet.',
      'If the document goes to the EU, sign with an RSA key, or with a key on one of the listed elliptic curves.',
    ],
  },
  ALGORITHM_NOT_ALLOWED: {
    'pt-BR': [
      'A tabela de algoritmos escolhida nas configurações não admite um algoritmo da assinatura ou de um certificado. Isso não quer dizer que ele seja fraco.',
      'Veja em validation.algorithms qual é a tabela escolhida. Se a assinatura precisa seguir essa tabela, peça uma nova com um algoritmo que ela lista.',
    ],
    en: [
      'The table of algorithms chosen in the settings does not allow an algorithm of the signature or of a certificate. The algorithm need not be weak.',
      'See in validation.algorithms which table is chosen. If the signature has to follow this table, ask for a new signature with an algorithm that the table lists.',
    ],
  },
  HASH_WEAK: {
    'pt-BR': [
      'A assinatura usa uma função de resumo que pode ser forjada (MD5 ou SHA-1).',
      'Peça uma assinatura nova com SHA-256 ou mais forte.',
    ],
    en: [
      'The signature uses a hash function that can be forged (MD5 or SHA-1).',
      'Ask for a new signature with SHA-256 or stronger.',
    ],
  },
  KEY_TOO_SHORT: {
    'pt-BR': [
      'A chave usada é curta demais para ser segura.',
      'Peça uma assinatura nova com uma chave de pelo menos 2048 bits (RSA).',
    ],
    en: ['The key is too short to be safe.', 'Ask for a new signature with a key of at least 2048 bits (RSA).'],
  },
  CERTIFICATE_HASH_WEAK: {
    'pt-BR': [
      'O certificado do signatário ou de uma autoridade acima dele foi assinado com uma função de resumo que pode ser forjada (MD5 ou SHA-1).',
      'Uma nova assinatura com o mesmo certificado não resolve: peça ao signatário um certificado cuja cadeia use SHA-256 ou mais forte.',
    ],
    en: [
      'The certificate of the signer or of an authority above it is signed with a hash function that can be forged (MD5 or SHA-1).',
      'A new signature with the same certificate does not help: ask the signer for a certificate whose whole chain uses SHA-256 or stronger.',
    ],
  },
  CERTIFICATE_KEY_TOO_SHORT: {
    'pt-BR': [
      'A chave do certificado do signatário ou de uma autoridade acima dele é curta demais para ser segura.',
      'Uma nova assinatura com o mesmo certificado não resolve: peça ao signatário um certificado cuja cadeia use chaves de pelo menos 2048 bits (RSA).',
    ],
    en: [
      'The key in the certificate of the signer or of an authority above it is too short to be safe.',
      'A new signature with the same certificate does not help: ask the signer for a certificate whose whole chain uses keys of at least 2048 bits (RSA).',
    ],
  },
  ALGORITHM_UNKNOWN: {
    'pt-BR': [
      'A assinatura usa um algoritmo que o Sinete não conhece.',
      'Verifique a assinatura com o programa que a criou ou no site oficial de validação.',
    ],
    en: [
      'The signature uses an algorithm that Sinete does not know.',
      'Check the signature with the program that made it, or at the official validation site.',
    ],
  },
  KEY_UNREADABLE: {
    'pt-BR': [
      'A chave do certificado é de um tipo que o Sinete não lê.',
      'Verifique a assinatura com o programa que a criou ou no site oficial de validação.',
    ],
    en: [
      "The certificate's key is of a kind that Sinete cannot read.",
      'Check the signature with the program that made it, or at the official validation site.',
    ],
  },
  POLICY_RECOGNISED: {
    'pt-BR': ['A política de assinatura é conhecida.'],
    en: ['The signature policy is known.'],
  },
  POLICY_RULES_KEPT: {
    'pt-BR': ['A assinatura segue as regras da sua política.'],
    en: ['The signature follows the rules of its policy.'],
  },
  POLICY_NOT_AVAILABLE: {
    'pt-BR': [
      'O Sinete não conhece a política de assinatura; não se sabe se as regras dela foram seguidas.',
      'Verifique a assinatura no site oficial de validação.',
    ],
    en: [
      'Sinete does not know the signature policy, so its rules could not be checked.',
      'Check the signature at the official validation site.',
    ],
  },
  POLICY_NOT_CHECKED: {
    'pt-BR': [
      'As regras da política de assinatura não foram verificadas, porque o Sinete não a conhece.',
      'Nada a fazer.',
    ],
    en: [
      'The rules of the signature policy were not checked, because Sinete does not know the policy.',
      'There is nothing to do.',
    ],
  },
  POLICY_DAMAGED: {
    'pt-BR': ['A indicação da política de assinatura não pode ser lida.', FOLLOW_POLICY['pt-BR']],
    en: ['The indication of the signature policy cannot be read.', FOLLOW_POLICY.en],
  },
  POLICY_HASH_WRONG: {
    'pt-BR': [
      'O resumo da política indicada na assinatura não confere com o da política publicada.',
      FOLLOW_POLICY['pt-BR'],
    ],
    en: ['The digest of the signature policy does not match the published policy.', FOLLOW_POLICY.en],
  },
  POLICY_FORMAT_WRONG: {
    'pt-BR': ['A política indicada é para outro formato de assinatura.', FOLLOW_POLICY['pt-BR']],
    en: ['The named policy is for another signature format.', FOLLOW_POLICY.en],
  },
  POLICY_PERIOD_WRONG: {
    'pt-BR': ['A assinatura foi feita fora do período de uso da política.', FOLLOW_POLICY['pt-BR']],
    en: ['The signature was made outside the period in which the policy may be used.', FOLLOW_POLICY.en],
  },
  POLICY_ATTRIBUTE_MISSING: {
    'pt-BR': ['Falta um atributo que a política de assinatura exige.', FOLLOW_POLICY['pt-BR']],
    en: ['An attribute that the signature policy requires is missing.', FOLLOW_POLICY.en],
  },
  POLICY_ATTRIBUTE_FOREIGN: {
    'pt-BR': [
      'Um atributo que a política de assinatura exige (carimbo do tempo, referências ou valores) pertence a outra assinatura ou está corrompido.',
      FOLLOW_POLICY['pt-BR'],
    ],
    en: [
      'An attribute that the signature policy requires (time stamp, references or values) belongs to another signature, or is corrupted.',
      FOLLOW_POLICY.en,
    ],
  },
  POLICY_ATTRIBUTE_UNPROVEN: {
    'pt-BR': [
      'Um atributo que a política de assinatura exige está presente, mas não pode ser comprovado agora.',
      'Confira se a autoridade do carimbo do tempo é confiável aqui e se a rede está disponível, e valide de novo.',
    ],
    en: [
      'An attribute that the signature policy requires is present but cannot be proven now.',
      'Check that the time-stamp authority is trusted here and that the network can be reached, and validate again.',
    ],
  },
  POLICY_ATTRIBUTE_FORBIDDEN: {
    'pt-BR': ['A assinatura contém um atributo que a política proíbe.', FOLLOW_POLICY['pt-BR']],
    en: ['The signature contains an attribute that its policy forbids.', FOLLOW_POLICY.en],
  },
  POLICY_ALGORITHM_NOT_ALLOWED: {
    'pt-BR': ['A política de assinatura não permite o algoritmo ou o tamanho de chave usado.', FOLLOW_POLICY['pt-BR']],
    en: ['The signature policy does not allow the algorithm or the key length.', FOLLOW_POLICY.en],
  },
  POLICY_ROOT_NOT_ALLOWED: {
    'pt-BR': [
      'A raiz do certificado não é aceita por esta versão da política de assinatura.',
      'Peça ao signatário que assine de novo sob uma versão da política que aceite a raiz do seu certificado.',
    ],
    en: [
      'This version of the signature policy does not accept the root of the certificate.',
      "Ask the signer to sign again under a version of the policy that accepts the certificate's root.",
    ],
  },
  POLICY_DICTIONARY: {
    'pt-BR': [
      'O dicionário da assinatura no PDF não tem os nomes que a política exige (PBAD_PAdES e PBAD.PAdES).',
      'Nada a fazer: muitos programas gravam outros nomes. O verificador oficial pode recusar a assinatura.',
    ],
    en: [
      'The dictionary of the PDF signature lacks the names that the policy requires (PBAD_PAdES and PBAD.PAdES).',
      'There is nothing to do: many programs write other names. The official validator may refuse the signature.',
    ],
  },
  POLICY_WITHDRAWN: {
    'pt-BR': [
      'Esta versão da política não deve mais ser usada, embora o seu período não tenha terminado.',
      'Para novas assinaturas, use a versão atual da política.',
    ],
    en: [
      'This version of the policy should no longer be used, although its period has not ended.',
      'For new signatures, use the current version of the policy.',
    ],
  },
};

/** Remedy for an ICP-Brasil policy used under a root that no version of the policy accepts. */
export const POLICY_FOR_OTHER_ROOT: Readonly<Record<ReportLanguage, string>> = {
  'pt-BR':
    'As políticas da ICP-Brasil só aceitam as raízes dela. Para experimentá-las com uma raiz sua, importe-a como raiz de testes (sinete trust import --test).',
  en: 'Policies of ICP-Brasil accept its own roots only. To try them with your own root, import it as a test root (sinete trust import --test).',
};
