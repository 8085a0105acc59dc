/** Evidence records (RFC 4998) of the world's time stamp authority, written byte by byte, right or wrong on purpose. */
import { hash } from 'node:crypto';
import {
  derContext,
  derElement,
  derInteger,
  derOctetString,
  derOid,
  derSequence,
  readDer,
  type DigestAlgorithm,
} from '../../../src/signing/index.ts';
import { DIGEST_OIDS } from '../../../src/signing/algorithms/algorithms.ts';
import { CadesOid } from '../../../src/signing/cms/cades-oids.ts';
import { writeTimestampRequest } from '../../../src/signing/timestamps/timestamp-response.ts';
import { answerTimestampRequest } from '../../../src/test-authority/index.ts';
import { attributeOf } from './craft-cms.ts';
import type { ValidationWorld } from './validation-world.ts';

export const digestOf = (algorithm: DigestAlgorithm, ...parts: readonly Uint8Array[]): Buffer =>
  hash(algorithm, Buffer.concat(parts), 'buffer');

const sorted = (hashes: readonly Buffer[]): Buffer[] => [...hashes].sort((a, b) => Buffer.compare(a, b));

/** Which parts are to be odd; what is absent is as it should be. */
export interface StampOptions {
  readonly algorithm?: DigestAlgorithm;
  /** Hashes beside the data's in the first list, and the further lists of the tree. */
  readonly beside?: readonly Buffer[];
  readonly above?: readonly (readonly Buffer[])[];
  /** Without a tree the time stamp is over the hash itself. */
  readonly withoutTree?: boolean;
  /** The field `digestAlgorithm` names this one. */
  readonly names?: DigestAlgorithm;
  /** In the place of the root. */
  readonly root?: Buffer;
  /** The token carries no revocation data. */
  readonly withoutLists?: boolean;
}

/** DER of the AlgorithmIdentifier of a hash function. */
export const algorithmOf = (algorithm: DigestAlgorithm): Buffer => derSequence(derOid(DIGEST_OIDS[algorithm]));

/** A token of now over the imprint. */
export function tokenOver(world: ValidationWorld, imprint: Buffer, algorithm: DigestAlgorithm): Buffer {
  const request = writeTimestampRequest({ digest: algorithm, imprint, policy: undefined, nonce: Buffer.of(1) });
  const response = answerTimestampRequest(world.tsa, request, { now: world.now });
  return Buffer.from(readDer(response).child(1, 'the token').bytes);
}

/** The token with the lists of now among its revocation data, which its signature is not over (RFC 5652 §5.1). */
function withLists(world: ValidationWorld, token: Buffer): Buffer {
  const outer = readDer(token);
  const fields = outer
    .child(1, 'the signature')
    .child(0, 'SignedData')
    .children.map(({ bytes }) => bytes);
  const lists = derContext(1, world.crl('issuing'), world.crl('root'));
  const body = derSequence(...fields.slice(0, -1), lists, ...fields.slice(-1));
  return derSequence(outer.child(0, 'the type').bytes, derContext(0, body));
}

/** DER of an ArchiveTimeStamp of now, with its token. */
export interface CraftedStamp {
  readonly der: Buffer;
  readonly token: Buffer;
}

/** An archive time stamp over these hashes. A first list with a single hash counts as the hash itself. */
export function stampOver(world: ValidationWorld, hashes: readonly Buffer[], options: StampOptions = {}): CraftedStamp {
  const { algorithm = 'sha256', beside = [], above = [], withoutTree = false, names } = options;
  const first = [...hashes, ...beside];
  const start = first.length === 1 ? (first[0] ?? Buffer.alloc(0)) : digestOf(algorithm, ...sorted(first));
  const root = above.reduce<Buffer>((node, list) => digestOf(algorithm, ...sorted([...list, node])), start);
  const bare = tokenOver(world, options.root ?? root, algorithm);
  const token = options.withoutLists === true ? bare : withLists(world, bare);
  const lists = [first, ...above].map((list) => derSequence(...list.map((value) => derOctetString(value))));
  const der = derSequence(
    ...(names === undefined ? [] : [derContext(0, derOid(DIGEST_OIDS[names]))]),
    ...(withoutTree ? [] : [derContext(2, ...lists)]),
    token,
  );
  return { der, token };
}

export const chainOf = (...stamps: readonly CraftedStamp[]): Buffer => derSequence(...stamps.map(({ der }) => der));

/** DER of an EvidenceRecord with these chains. */
export const recordOf = (...chains: readonly Buffer[]): Buffer =>
  derSequence(derInteger(1), derSequence(algorithmOf('sha256'), algorithmOf('sha512')), derSequence(...chains));

/** The hash of data in a new chain behind older chains (RFC 4998 §5.2). */
export function rehashed(algorithm: DigestAlgorithm, data: Uint8Array, older: readonly Buffer[]): Buffer {
  return digestOf(algorithm, digestOf(algorithm, data), digestOf(algorithm, derSequence(...older)));
}

/** A new time stamp over an old one, in the same chain. */
export const renewal = (world: ValidationWorld, old: CraftedStamp, options: StampOptions = {}): CraftedStamp =>
  stampOver(world, [digestOf(options.algorithm ?? 'sha256', old.token)], options);

/** The message with an evidence record among the unsigned attributes of its first signer. */
export function withRecord(message: Buffer, record: Buffer, isExternal = false): Buffer {
  const outer = readDer(message);
  const body = outer.child(1, 'the signature').child(0, 'SignedData');
  const oid = isExternal ? CadesOid.evidenceRecordExternal : CadesOid.evidenceRecordInternal;
  const attribute = attributeOf(oid, record);
  const signers = body.children.at(-1)?.children ?? [];
  const written = signers.map((signer, index) => {
    if (index > 0) return signer.bytes;
    const unsigned = signer.children.find(({ tag }) => tag === 0xa1 && tag === signer.children.at(-1)?.tag);
    const kept = signer.children.filter((field) => field !== unsigned).map(({ bytes }) => bytes);
    return derSequence(...kept, derElement(0xa1, unsigned?.content ?? Buffer.alloc(0), attribute));
  });
  const fields = body.children.slice(0, -1).map(({ bytes }) => bytes);
  const whole = derSequence(...fields, derElement(0x31, ...written));
  return derSequence(outer.child(0, 'the type').bytes, derContext(0, whole));
}
