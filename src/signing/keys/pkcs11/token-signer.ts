/** A key on a token in the form of a signer: messages in, verified signatures out. */
import type { KeyObject } from 'node:crypto';
import { SigningError } from '../../errors.ts';
import type { SignatureParameters, SignatureScheme, Signer } from '../signer.ts';
import { verifiedSigner } from '../verified-signer.ts';
import { encodeSignature, prepareSignature } from './mechanisms.ts';
import type { KeyReference } from './protocol.ts';
import type { ModuleSupervisor } from './supervisor.ts';

/** The parts of a token signer. */
export interface TokenSignerParts {
  readonly supervisor: ModuleSupervisor;
  readonly key: KeyReference;
  readonly certificate: Buffer;
  readonly chain: readonly Buffer[];
  readonly publicKey: KeyObject;
  readonly schemes: readonly SignatureScheme[];
  /** Cancels signatures that still wait in the queue (`CANCELLED`). */
  readonly signal?: AbortSignal;
  /** Called when a signature fails because the token was removed. */
  removed(): void;
}

/** Hashes here, lets the token sign the digest, and verifies each signature before use. */
export function tokenSigner(parts: TokenSignerParts): Signer {
  const { supervisor, key, certificate, chain, publicKey, schemes, signal } = parts;
  return verifiedSigner({
    certificate,
    chain,
    schemes,
    async sign(message: Uint8Array, parameters: SignatureParameters): Promise<Buffer> {
      if (!schemes.includes(parameters.scheme)) {
        throw new SigningError('ALGORITHM_UNSUPPORTED', `This key or its token cannot sign with ${parameters.scheme}.`);
      }
      const prepared = prepareSignature(message, parameters, publicKey);
      try {
        const raw = await supervisor.sign({ key, ...prepared }, signal);
        return encodeSignature(raw, parameters.scheme, publicKey);
      } catch (error) {
        if (error instanceof SigningError && error.code === 'TOKEN_REMOVED') parts.removed();
        throw error;
      }
    },
  });
}
