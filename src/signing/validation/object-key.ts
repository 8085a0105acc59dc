import { hash } from 'node:crypto';
import type { Certificate } from '../certificates/certificate.ts';
import type { ObjectKey } from './facts.ts';

/** The key of any object with DER bytes. */
export const objectKey = (der: Uint8Array): ObjectKey => `obj:${hash('sha256', der)}`;

/** The same key, from the certificate's fingerprint. */
export const certificateKey = ({ fingerprint }: Certificate): ObjectKey => `obj:${fingerprint}`;

/** The key of a signature value by the number of its signature. */
export const signatureKey = (id: string): ObjectKey => `sig:${id}`;
