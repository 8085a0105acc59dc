/** Brings new signatures to their level before framing. */
import { Oid } from '../../der/oids.ts';
import { readDer } from '../../der/reader.ts';
import { derInteger, derOid, derSequence, derSetOf } from '../../der/writer.ts';
import { SigningError } from '../../errors.ts';
import type { CmsSignerOptions } from '../cms-signer.ts';
import { STEPS, type LevelServices } from './cms-level.ts';
import { openEnvelope, versionOf, writeTail } from './envelope.ts';
import type { LevelContent } from './level-content.ts';
import { expectServices, raiseSigners } from './raise-signers.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';

/** The part of SignedData after the content. */
export interface SignedTail {
  readonly bytes: Buffer;
  /** Version of SignedData; by default 1. */
  readonly version?: number;
  /**
   * The reason why the steps after the time stamp are postponed (`OlderEvidence`), as a sentence; absent when the level
   * is reached.
   */
  readonly postponed?: string;
}

/** The subject of a signature. */
export interface LevelSubject {
  readonly content: () => LevelContent;
  readonly signal: AbortSignal | undefined;
}

/** The level of all signatures of one signer. */
export interface PreparedLevel {
  /** Adds the level's evidence to certificates and SignerInfo. Rejects like `raiseCms`. */
  readonly raise: (tail: Buffer, subject: LevelSubject) => Promise<SignedTail>;
  /** The present upper bound of the evidence, in bytes. */
  readonly allowance: () => number;
}

const DEFAULT_MATERIAL = 16 * 2 ** 20;
/** Bytes around a token: attribute, set, and growth of the length fields of enclosing elements. */
const FRAME_OF_STAMP = 64;
/** Bytes of the digests in an archive time stamp's index: one digest for each certificate, list and attribute. */
const INDEX = 16 * 2 ** 10;
/** Growth of the length fields of the enclosing elements, in bytes. */
const LENGTHS = 64;

/** True when newer revocation data about the signer must be awaited. */
export const isTooOld = (error: unknown): error is SigningError =>
  error instanceof SigningError && error.code === 'REVOCATION_TOO_OLD';

const DETACHED = derSequence(derOid(Oid.data));

/** The level of the options; undefined: none. Throws for a missing service. */
export function levelOf(options: CmsSignerOptions): PreparedLevel | undefined {
  const { level, timestamper, collector, now, olderEvidence, materialSizeLimit = DEFAULT_MATERIAL } = options;
  if (level === undefined) return undefined;
  const services: LevelServices = { timestamper, collector, now, olderEvidence };
  expectServices(level, services);
  const steps = STEPS[level];
  const stamps = steps.filter((step) => step.endsWith('time-stamp') || step.startsWith('archive')).length;
  const hasMaterial = steps.some((step) => step === 'material' || step === 'references');
  return {
    async raise(tail, { content, signal }) {
      const elements = readDer(derSequence(derInteger(1), derSetOf(), DETACHED, tail)).children;
      let postponed: string | undefined;
      const raised = await raiseSigners(openEnvelope(elements), [0], {
        level,
        services: { ...services, ...dropUndefined({ signal }) },
        content: content(),
        onFailure: (error) => {
          postponed = olderEvidence === 'postpone' && isTooOld(error) ? error.message : undefined;
          return postponed !== undefined;
        },
      });
      const more = postponed === undefined ? {} : { postponed };
      return { bytes: writeTail(raised), version: versionOf(raised), ...more };
    },
    allowance() {
      const perStamp = (timestamper?.sizeLimit ?? 0) + FRAME_OF_STAMP;
      return stamps * perStamp + LENGTHS + (hasMaterial ? materialSizeLimit + INDEX : 0);
    },
  };
}
