import {
  createCertificateInformation,
  createValidator,
  type CertificateEvidence,
  type CertificateInformation,
  type ValidationJob,
  type Validator,
} from '../../service/index.ts';
import {
  createTrustAnchors,
  type HttpClient,
  type RevocationCache,
  type ValidationReport,
  type WorkerPool,
} from '../../signing/index.ts';
import type { Trust } from '../evidence/trust.ts';
import type { KeySources } from './key-sources.ts';

/** What validates signatures and certificates here. */
export interface ValidationServices {
  readonly validator: Validator;
  readonly certificateInformation: CertificateInformation;
}

/** What they are built with. */
export interface ValidationServiceParts {
  readonly workers: Pick<WorkerPool, 'validate'>;
  readonly http: HttpClient;
  readonly cache: RevocationCache;
  readonly trust: Trust;
  readonly keys: Pick<KeySources, 'ring'>;
  readonly certificateEvidence: CertificateEvidence;
  /** SHA-256 of the certificates that were linked to a person by hand. */
  readonly linkedCertificates: (username: string) => Promise<readonly string[]>;
  readonly now: () => Date;
}

/** Builds them; files of strangers are read in threads that can be ended. */
export function openValidation(parts: ValidationServiceParts): ValidationServices {
  const { keys, certificateEvidence, linkedCertificates, now } = parts;
  return {
    validator: createValidator({ run: async (job) => validate(parts, job) }),
    certificateInformation: createCertificateInformation({
      ...{ keys: keys.ring, evidence: certificateEvidence, linkedCertificates, now },
    }),
  };
}

/** Anchors that are imported later count at once. */
async function validate(parts: ValidationServiceParts, job: ValidationJob): Promise<ValidationReport> {
  const { workers, http, cache, trust, now } = parts;
  const { kind, signaturePath, contentPath, password, recipient, offline, signal } = job;
  const signature = { signature: { path: signaturePath } };
  const content = contentPath === undefined ? {} : { content: { path: contentPath } };
  const input = kind === 'cms' ? { ...signature, ...content } : { path: signaturePath, password, recipient };
  return workers.validate(
    { input, ...(signal === undefined ? {} : { signal }) },
    {
      trust: createTrustAnchors(trust.anchors, trust.intermediates),
      ...{ cache, now },
      ...(offline ? {} : { http }),
    },
  );
}
