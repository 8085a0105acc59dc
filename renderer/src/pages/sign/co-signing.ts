import type { SignatureType } from './signing-options.ts';
import type { DeskItem } from './desk-state.ts';

/** Most bytes of a signature: the signature is sent inside a call. */
const largest = 32 * 2 ** 20;

/** A document, and the signature file that its signers have made. */
export interface CoSigning {
  readonly signature: DeskItem;
  readonly document: DeskItem;
}

/** The signed files of a batch: signing such a file encloses it, with its signatures. */
export const signedFiles = (items: readonly DeskItem[]): readonly DeskItem[] =>
  items.filter(({ isSignature }) => isSignature);

/** The pair that can be signed beside earlier signers: a batch of a signature file and another file. */
export function coSigningOf(items: readonly DeskItem[]): CoSigning | null {
  const [first, second] = items;
  if (first === undefined || second === undefined || items.length !== 2) return null;
  const [signature, document] = first.isSignature ? [first, second] : [second, first];
  const isPair = signature.isSignature && !document.isSignature && document.file.size > 0;
  return isPair && signature.file.size <= largest ? { signature, document } : null;
}

/** The type of a signature beside another one: by convention a .p7m encloses the document, and a .p7s does not. */
export function typeBeside(signature: File, chosen: SignatureType): SignatureType {
  const profile = chosen.startsWith('CMS') ? 'CMS' : 'CAdES';
  return `${profile}-${signature.name.toLowerCase().endsWith('.p7m') ? 'attached' : 'detached'}`;
}

/** The bytes of a file in base64. */
export async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text);
}
