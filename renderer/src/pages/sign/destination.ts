import type { ArchiveLanguage, ArchivePlace, ArchiveView } from '../../../../src/ui-contract/archive-calls.ts';

/**
 * Where results go: beside each file, to the folder of the archive, to another folder, or only to Sinete's own store,
 * which erases results at the end of their lifetime.
 */
export type Destination =
  { readonly kind: 'beside' | 'archive' | 'keep' } | { readonly kind: 'folder'; readonly path: string };

/** A browser knows no paths of files and has no dialog for folders. */
export function destinationKinds(hasPaths: boolean): readonly Destination['kind'][] {
  return hasPaths ? ['beside', 'archive', 'folder', 'keep'] : ['archive', 'keep'];
}

/** The default destination of a batch. */
export function usualDestination(archive: Pick<ArchiveView, 'place'> | null, hasPaths: boolean): Destination {
  return { kind: hasPaths && archive?.place !== 'folder' ? 'beside' : 'archive' };
}

/** The destination in the form of the calls; null keeps results in Sinete only. */
export function placeOfResults(destination: Destination, language: ArchiveLanguage): ArchivePlace | null {
  switch (destination.kind) {
    case 'beside':
      return { kind: 'beside', language };
    case 'archive':
      return { kind: 'folder', language };
    case 'folder':
      return { kind: 'folder', folder: destination.path, language };
    case 'keep':
      return null;
  }
}
