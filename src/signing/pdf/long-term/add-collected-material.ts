import { PdfDocument } from '../reading/pdf-document.ts';
import { addValidationMaterial, type RevisionResult } from './add-validation-material.ts';
import { collectMaterial, hasMaterial } from './collect-material.ts';
import type { PdfLevelOptions } from './level.ts';
import { readStoredSignatures, type StoredSignature } from './stored-signatures.ts';
import { keysOf, type PdfKeys } from '../encryption/standard-security.ts';

/** Chooses the signatures that need material. */
export type ChooseSignatures = (document: PdfDocument, all: readonly StoredSignature[]) => readonly StoredSignature[];

/** Signatures without an entry in the security store. */
export const withoutMaterial: ChooseSignatures = (document, all) =>
  all.filter((signature) => !hasMaterial(document, signature));

/** Options beyond the level's own. */
export interface CollectedMaterialOptions extends PdfLevelOptions, PdfKeys {
  readonly signal?: AbortSignal | undefined;
}

/** Collects material for the chosen signatures and adds the material in a single update. Rejects like both parts. */
export async function addCollectedMaterial(
  inputPath: string,
  outputPath: string,
  choose: ChooseSignatures,
  options: CollectedMaterialOptions,
): Promise<RevisionResult> {
  const { collector, signal, policyArtifacts } = options;
  const now = options.now?.() ?? new Date();
  const document = await PdfDocument.open(inputPath, keysOf(options));
  try {
    const chosen = choose(document, readStoredSignatures(document));
    const collected = await collectMaterial(document, chosen, { collector, now, signal });
    const signatures = collected.map((one, index) =>
      policyArtifacts !== undefined && chosen[index]?.kind === 'signature' ? { ...one, policyArtifacts } : one,
    );
    return await addValidationMaterial({
      inputPath,
      outputPath,
      signatures,
      at: now,
      ...keysOf(options),
      ...(signal === undefined ? {} : { signal }),
    });
  } finally {
    await document.close();
  }
}
