/** `npm run vectors`: the standard vectors of the project as a table. Ends with 1 on any disagreement. */
import { readFileSync } from 'node:fs';
import { createPublicKey } from 'node:crypto';
import { digestBytes, type ReadableDigestAlgorithm } from '../../src/signing/algorithms/algorithms.ts';
import { verifySignature } from '../../src/signing/algorithms/signature-algorithm.ts';
import { Oid, derBitString, derOid, derSequence } from '../../src/signing/index.ts';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import { isDsa, readCases, runCase } from './pkits/run-pkits.ts';

interface Row {
  readonly suite: string;
  cases: number;
  agree: number;
  /** Names of disagreeing cases. */
  readonly others: string[];
}

const SECTIONS: Readonly<Record<string, string>> = {
  '4.1': 'signatures',
  '4.2': 'validity',
  '4.3': 'names',
  '4.4': 'lists',
  '4.5': 'self-issued certificates',
  '4.6': 'basic constraints',
  '4.7': 'key usage',
  '4.8': 'policies',
  '4.9': 'explicit policy',
  '4.10': 'policy mapping',
  '4.11': 'inhibited mapping',
  '4.12': 'inhibited any-policy',
  '4.13': 'name constraints',
  '4.14': 'distribution points, indirect lists',
  '4.15': 'delta lists',
  '4.16': 'private extensions',
};

const rows = new Map<string, Row>();

function count(suite: string, name: string, agrees: boolean): void {
  const row = rows.get(suite) ?? { suite, cases: 0, agree: 0, others: [] };
  rows.set(suite, row);
  row.cases += 1;
  if (agrees) row.agree += 1;
  else row.others.push(name);
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

interface DigestVector {
  readonly source: string;
  readonly algorithm: ReadableDigestAlgorithm;
  readonly message: string;
  readonly digest: string;
}

interface SignatureVector {
  readonly source: string;
  readonly scheme: 'ed25519' | 'ed448';
  readonly public: string;
  readonly message: string;
  readonly signature: string;
}

if (!ensureSystemPackages('vectors')) process.exit(3);
for (const { source, algorithm, message, digest } of read('digests.json') as readonly DigestVector[]) {
  count('FIPS 180-4, FIPS 202', source, digestBytes(algorithm, bytes(message)).toString('hex') === digest);
}
for (const { source, scheme, message, signature, ...vector } of read('eddsa.json') as readonly SignatureVector[]) {
  const info = derSequence(derSequence(derOid(Oid[scheme])), derBitString(bytes(vector.public)));
  const key = createPublicKey({ key: info, format: 'der', type: 'spki' });
  const agrees = verifySignature(key, { scheme, digest: 'sha512' }, bytes(message), bytes(signature));
  count('RFC 8032 §7', source, agrees);
}
for (const one of await readCases()) {
  const section = one.test.split('.').slice(0, 2).join('.');
  const agrees = (await runCase(one)) === one.isValid;
  count(isDsa(one) ? 'PKITS DSA (not read)' : `PKITS ${section} ${SECTIONS[section] ?? ''}`, one.test, agrees);
}

const width = Math.max(...[...rows.keys()].map((suite) => suite.length));
let failed = 0;
for (const { suite, cases, agree, others } of rows.values()) {
  const isKnown = suite.includes('DSA');
  if (!isKnown) failed += cases - agree;
  console.log(
    `${suite.padEnd(width)}  ${String(agree).padStart(3)} of ${String(cases).padStart(3)}  ${others.join(', ')}`,
  );
}
const all = [...rows.values()];
const sum = (of: 'cases' | 'agree'): number => all.reduce((total, row) => total + row[of], 0);
console.log(`${'together'.padEnd(width)}  ${sum('agree')} of ${sum('cases')}`);
process.exitCode = failed === 0 ? 0 : 1;
