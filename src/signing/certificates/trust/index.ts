export { hierarchyOf, type Hierarchy } from './trust-anchors.ts';
export { GOV_BR_ROOT, ICP_BRASIL_ROOTS, pinnedRoot, type PinnedRoot } from './icp-brasil-roots.ts';
export {
  importTrustMaterial,
  type ImportedTrustMaterial,
  type SkipReason,
  type SkippedMaterial,
  type TrustImportOptions,
} from './import-trust-material.ts';
export { readCertificates, type FoundCertificates } from './read-certificates.ts';
export { createTrustAnchors, type TrustAnchors } from './trust-anchors.ts';
