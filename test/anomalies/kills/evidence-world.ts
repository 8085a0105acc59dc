/**
 * An instance whose evidence comes later, and an archive that is due for renewal: real stores, real files and signatures,
 * with a PKI handed from process to process in a file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Renewals } from '../../../src/service/renewals/index.ts';
import type { ValidationReport } from '../../../src/service/validation/index.ts';
import { raiseCmsFile, raisePdf, validatePdf } from '../../../src/signing/index.ts';
import { withPdfFacts } from '../../../src/signing/pdf/differences/with-pdf-facts.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { laterEvidence } from '../../service/transactions/later-evidence.ts';
import { openWorld, silentLog, type World } from '../../service/transactions/transaction-world.ts';
import { ValidationWorld } from '../../signing/validation/validation-world.ts';

const DAY = 86_400_000;
const pkiPath = (root: string): string => join(root, 'pki');

export const savePki = (root: string, pki: ValidationWorld): void => writeFileSync(pkiPath(root), pki.save());

export const readPki = (root: string): ValidationWorld => ValidationWorld.restore(readFileSync(pkiPath(root)));

/** Transactions over the folder `data` of `root`. */
export async function openEvidenceWorld(root: string, pki: ValidationWorld): Promise<World> {
  return openWorld(laterEvidence(pki), root);
}

/** The report over a signed file, without the network. */
export async function judge(pki: ValidationWorld, path: string): Promise<ValidationReport> {
  const bytes = await readFile(path);
  // A draft has another name.
  if (bytes.subarray(0, 5).toString() !== '%PDF-') return pki.validate(bytes, { offline: true });
  return validatePdf({ path }, pki.services({ offline: true }), {}, withPdfFacts);
}

/** Renewals of the folder's archive, with real time stamps. */
export function openArchive(storage: Storage, pki: ValidationWorld): Renewals {
  return new Renewals({
    store: storage.renewals,
    settings: storage.settings,
    mode: 'automatic',
    within: 90 * DAY,
    mayChange: true,
    validate: async ({ signaturePath }) => judge(pki, signaturePath),
    extend: async ({ path, destination }) => {
      const { timestamper, collector } = pki;
      const request = { inputPath: path, outputPath: destination, level: 'B-LTA', timestamper, collector } as const;
      const now = (): Date => pki.now;
      if (path.endsWith('.pdf')) return raisePdf({ ...request, now });
      await raiseCmsFile({ ...request, now });
      return { warnings: [] };
    },
    servers: async () => Promise.resolve([]),
    documentBeside: () => undefined,
    recordBeside: () => undefined,
    onChange: () => undefined,
    log: silentLog,
    now: () => pki.now,
  });
}
