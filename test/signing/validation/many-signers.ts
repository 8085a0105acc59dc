/** Files costing much: many signatures to check, many certificates of a single name, many attributes. */
import {
  Oid,
  derContext,
  derElement,
  derNull,
  derOid,
  derSequence,
  derSetOf,
  readDer,
} from '../../../src/signing/index.ts';
import { createTestAuthority, type TestIdentity, type TestKeyKind } from '../../../src/test-authority/index.ts';
import { CadesOid } from '../../../src/signing/cms/cades-oids.ts';
import { attributeOf, craftCms, type CraftOptions } from './craft-cms.ts';

/** A message with the same short signer this many times, each with counter-signatures: all have to be checked. */
export function manySigners(
  person: TestIdentity,
  count: number,
  counters = 0,
  options: Pick<CraftOptions, 'attached' | 'content'> = {},
): Buffer {
  const message = craftCms(person, { ...options, withoutAttributes: true });
  const fields = readDer(message).child(1, 'the body').child(0, 'SignedData').children;
  const signer = fields.at(-1)?.children[0]?.bytes ?? Buffer.alloc(0);
  const unsigned = attributeOf(CadesOid.counterSignature, ...Array<Buffer>(counters).fill(signer));
  const whole = counters === 0 ? signer : derSequence(readDer(signer).content, derContext(1, unsigned));
  const signers = derElement(0x31, Buffer.concat(Array<Buffer>(count).fill(whole)));
  const body = derSequence(...fields.slice(0, -1).map(({ bytes }) => bytes), signers);
  return derSequence(derOid(Oid.signedData), derContext(0, body));
}

/** Certificates of authorities with a single name, each with a key of its own. */
export async function namesakes(count: number, keyKind: TestKeyKind): Promise<readonly Buffer[]> {
  const found: Buffer[] = [];
  for (let done = 0; done < count; done += 1) {
    const { issuing } = await createTestAuthority({ keyKind });
    found.push(issuing.certificate);
  }
  return found;
}

/** The message with this many signed attributes more, unknown to the signature. */
export function withSignedAttributes(cms: Buffer, count: number): Buffer {
  const [version, digests, content, certificates, signers] = readDer(cms)
    .child(1, 'the body')
    .child(0, 'SignedData').children;
  const [signer] = signers?.children ?? [];
  const more = Buffer.concat(Array<Buffer>(count).fill(attributeOf('1.2.3', derNull())));
  const fields = (signer?.children ?? []).map((field) =>
    field.tag === 0xa0 ? derElement(0xa0, Buffer.concat([field.content, more])) : field.bytes,
  );
  const kept = [version, digests, content, certificates].flatMap((field) => (field === undefined ? [] : [field.bytes]));
  const message = derSequence(...kept, derSetOf(derSequence(...fields)));
  return derSequence(derOid(Oid.signedData), derContext(0, message));
}
