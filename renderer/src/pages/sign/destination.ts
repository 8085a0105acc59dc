import type { Destination, SignatureType } from './signing-options.ts';

/** The destination of a result for a file on this computer, named like the core's results. */
export function destinationOf(path: string, type: SignatureType, destination: Destination): string {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  const name = resultName(path.slice(cut + 1), type);
  if (destination.kind !== 'folder') return path.slice(0, cut + 1) + name;
  const separator = destination.path.includes('\\') ? '\\' : '/';
  return `${destination.path.replace(/[/\\]$/, '')}${separator}${name}`;
}

/** `contract.pdf` → `contract-signed.pdf`; others get `.p7m` when the signature holds the document, else `.p7s`. */
function resultName(name: string, type: SignatureType): string {
  if (type === 'PAdES' || type === 'PDFSignature') return `${name.replace(/\.pdf$/i, '')}-signed.pdf`;
  return `${name}${type.endsWith('attached') ? '.p7m' : '.p7s'}`;
}
