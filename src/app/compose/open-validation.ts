import {
  createCertificateInformation,
  type CertificateEvidence,
  type CertificateInformation,
} from '../../service/certificates/index.ts';
import { createValidator, type ValidationJob, type Validator } from '../../service/validation/index.ts';
import type {
  AlgorithmPolicy,
  HttpClient,
  RevocationCache,
  ValidationReport,
  WorkerPool,
} from '../../signing/index.ts';
import type { Trust } from '../evidence/trust.ts';
import type { KeySources } from './key-sources.ts';

/** Services for validating signatures and certificates. */
export interface ValidationServices {
  readonly validator: Validator;
  readonly certificateInformation: CertificateInformation;
}

/** Parts of the validation services. */
export interface ValidationServiceParts {
  readonly workers: Pick<WorkerPool, 'validate'>;
  readonly http: HttpClient;
  readonly cache: RevocationCache;
  readonly trust: Trust;
  readonly keys: Pick<KeySources, 'ring'>;
  readonly certificateEvidence: CertificateEvidence;
  /** SHA-256 of the certificates that were linked to a person by hand. */
  readonly linkedCertificates: (username: string) => Promise<readonly string[]>;
  /** The dates until which hash functions and keys are trusted. */
  readonly algorithms: AlgorithmPolicy;
  readonly now: () => Date;
}

/** Builds the validation services. Files may be hostile, so they are read in threads that can be terminated. */
export function openValidation(parts: ValidationServiceParts): ValidationServices {
  const { keys, certificateEvidence, linkedCertificates, now } = parts;
  return {
    validator: createValidator({ run: async (job) => validate(parts, job) }),
    certificateInformation: createCertificateInformation({
      keys: keys.ring,
      evidence: certificateEvidence,
      linkedCertificates,
      now,
    }),
  };
}

/** Reads the anchors for each validation, so that imported anchors count at once. */
async function validate(parts: ValidationServiceParts, job: ValidationJob): Promise<ValidationReport> {
  const { workers, http, cache, trust, algorithms, now } = parts;
  const { kind, signaturePath, contentPath, recordPaths, password, recipient, offline, at, signal } = job;
  const signature = { signature: { path: signaturePath } };
  const content = { content: contentPath === undefined ? undefined : { path: contentPath } };
  const records = { records: recordPaths?.map((path) => ({ path })) };
  const input =
    kind === 'cms'
      ? { ...signature, ...content, ...records }
      : { path: signaturePath, password, recipient, ...records };
  return workers.validate(
    { input, algorithms, at, signal },
    {
      trust: trust.present,
      cache,
      now,
      ...(offline ? {} : { http }),
    },
  );
}
