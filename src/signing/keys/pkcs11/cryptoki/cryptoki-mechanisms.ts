import { Ck, type CryptokiMechanism } from './cryptoki.ts';
import type { TokenMechanism } from '../protocol.ts';

const MECHANISMS: Readonly<Record<'rsa-pkcs1' | 'ecdsa' | 'eddsa', CryptokiMechanism>> = {
  'rsa-pkcs1': { mechanism: Ck.CKM_RSA_PKCS },
  ecdsa: { mechanism: Ck.CKM_ECDSA },
  eddsa: { mechanism: Ck.CKM_EDDSA },
};

const PSS_PARAMETERS = {
  sha256: { hashAlg: Ck.CKM_SHA256, mgf: Ck.CKG_MGF1_SHA256, saltLen: 32 },
  sha384: { hashAlg: Ck.CKM_SHA384, mgf: Ck.CKG_MGF1_SHA384, saltLen: 48 },
  sha512: { hashAlg: Ck.CKM_SHA512, mgf: Ck.CKG_MGF1_SHA512, saltLen: 64 },
} as const;

/** Converts a mechanism of the protocol to the driver's mechanism. */
export function toCryptokiMechanism(mechanism: TokenMechanism): CryptokiMechanism {
  if (mechanism.name !== 'rsa-pss') return MECHANISMS[mechanism.name];
  return { mechanism: Ck.CKM_RSA_PKCS_PSS, parameter: PSS_PARAMETERS[mechanism.digest] };
}
