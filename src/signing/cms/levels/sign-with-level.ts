/** Gives fresh signatures their level before they are framed. */
import { Oid } from '../../der/oids.ts';
import { readDer } from '../../der/reader.ts';
import { derInteger, derOid, derSequence, derSetOf } from '../../der/writer.ts';
import type { CmsSignerOptions } from '../cms-signer.ts';
import { STEPS, type LevelServices } from './cms-level.ts';
import { openEnvelope, versionOf, writeTail } from './envelope.ts';
import type { LevelContent } from './level-content.ts';
import { expectServices, raiseSigners } from './raise-signers.ts';

/** What follows the content in SignedData. */
export interface SignedTail {
  readonly octets: Buffer;
  /** Of SignedData; absent: 1. */
  readonly version?: number;
}

/** What one signature is about. */
export interface LevelSubject {
  readonly content: () => LevelContent;
  readonly signal: AbortSignal | undefined;
}

/** The level of all signatures of one signer. */
export interface PreparedLevel {
  /** Adds to certificates and SignerInfo what the level needs. Rejects like `raiseCms`. */
  readonly raise: (tail: Buffer, subject: LevelSubject) => Promise<SignedTail>;
  /** Octets that it will add at most, as far as that can be known now. */
  readonly allowance: () => number;
}

const DEFAULT_MATERIAL = 16 * 2 ** 20;
/** Around a token: attribute, set, and the longer lengths of what encloses it. */
const FRAME_OF_STAMP = 64;
/** Digests in an archive time stamp's index: one for each certificate, list and attribute. */
const INDEX = 16 * 2 ** 10;
/** Longer lengths of what encloses all of it. */
const LENGTHS = 64;

const DETACHED = derSequence(derOid(Oid.data));

/** The level that the options ask for; undefined: none. Throws when a service is missing. */
export function levelOf(options: CmsSignerOptions): PreparedLevel | undefined {
  const { level, timestamper, collector, now, materialSizeLimit = DEFAULT_MATERIAL } = options;
  if (level === undefined) return undefined;
  const services: LevelServices = {
    ...(timestamper === undefined ? {} : { timestamper }),
    ...(collector === undefined ? {} : { collector }),
    ...(now === undefined ? {} : { now }),
  };
  expectServices(level, services);
  const steps = STEPS[level];
  const stamps = steps.filter((step) => step.endsWith('time-stamp') || step.startsWith('archive')).length;
  const hasMaterial = steps.some((step) => step === 'material' || step === 'references');
  return {
    async raise(tail, { content, signal }) {
      const elements = readDer(derSequence(derInteger(1), derSetOf(), DETACHED, tail)).children;
      const raised = await raiseSigners(openEnvelope(elements), [0], {
        level,
        services: { ...services, ...(signal === undefined ? {} : { signal }) },
        content: content(),
      });
      return { octets: writeTail(raised), version: versionOf(raised) };
    },
    allowance() {
      const perStamp = (timestamper?.sizeLimit ?? 0) + FRAME_OF_STAMP;
      return stamps * perStamp + LENGTHS + (hasMaterial ? materialSizeLimit + INDEX : 0);
    },
  };
}
