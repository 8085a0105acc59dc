/** Long-term evidence in a PDF in the eyes of other programs: qpdf reads, OpenSSL, Bouncy Castle and PDFBox verify. */
import { hash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { runProgram } from '../../oracles/run-program.ts';
import { toPem } from '../cms/test-identities.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonDictionary = Readonly<Record<string, Json>>;

const isDictionary = (value: Json | undefined): value is JsonDictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type JsonObjects = Readonly<Record<string, { readonly value?: Json; readonly stream?: { readonly data: string } }>>;

/** A PDF as decrypted and decoded by qpdf. */
export class QpdfView {
  readonly #objects: JsonObjects;
  readonly #trailer: JsonDictionary;

  readonly #file: Buffer;

  private constructor(objects: JsonObjects, file: Buffer) {
    this.#objects = objects;
    this.#file = file;
    this.#trailer = objects['trailer']?.value as JsonDictionary;
  }

  static async open(path: string): Promise<QpdfView> {
    const choices = ['--json=2', '--json-key=qpdf', '--json-stream-data=inline', '--decode-level=generalized'];
    const { output } = await runProgram('qpdf', [...choices, '--no-warn', '--password=', path]);
    const { qpdf } = JSON.parse(output) as { qpdf: [unknown, JsonObjects] };
    return new QpdfView(qpdf[1], await readFile(path));
  }

  #resolve(value: Json | undefined): Json | undefined {
    return typeof value === 'string' && / R$/.test(value) ? this.#objects[`obj:${value}`]?.value : value;
  }

  #dictionary(value: Json | undefined): JsonDictionary {
    const found = this.#resolve(value);
    return isDictionary(found) ? found : {};
  }

  get catalog(): JsonDictionary {
    return this.#dictionary(this.#trailer['/Root']);
  }

  /** The developer extensions of the catalog. */
  get extensions(): JsonDictionary {
    return this.#dictionary(this.catalog['/Extensions']);
  }

  get store(): JsonDictionary {
    return this.#dictionary(this.catalog['/DSS']);
  }

  /** The entries of the store for single signatures, by key. */
  get entries(): Readonly<Record<string, JsonDictionary>> {
    const all = Object.entries(this.#dictionary(this.store['/VRI'])).filter(([key]) => key !== '/Type');
    return Object.fromEntries(all.map(([key, value]) => [key.slice(1), this.#dictionary(value)]));
  }

  /** Data of the streams in the list at `key`, or of the single stream there. */
  streams(owner: JsonDictionary, key: string): readonly Buffer[] {
    const isStream = typeof owner[key] === 'string' && this.#objects[`obj:${owner[key]}`]?.stream !== undefined;
    const value = isStream ? [owner[key] ?? null] : this.#resolve(owner[key]);
    return ((value ?? []) as readonly string[]).map((reference) =>
      Buffer.from(this.#objects[`obj:${reference}`]?.stream?.data ?? '', 'base64'),
    );
  }

  /**
   * Signature dictionaries in the order of their making. Contents come from the file itself: qpdf leaves contents alone
   * in encrypted files only where the dictionary says `/Type /Sig`.
   */
  get signatures(): readonly {
    readonly dictionary: JsonDictionary;
    readonly contents: Buffer;
    readonly key: string;
  }[] {
    return Object.values(this.#objects)
      .map(({ value }) => value)
      .filter((value) => isDictionary(value))
      .filter((value) => '/ByteRange' in value && '/Contents' in value)
      .map((dictionary) => {
        const [, start, end] = byteRange(dictionary);
        const contents = Buffer.from(this.#file.toString('latin1', start + 1, end - 1), 'hex');
        return { dictionary, contents, key: hash('sha1', contents, 'hex').toUpperCase() };
      })
      .sort((first, second) => byteRange(first.dictionary)[1] - byteRange(second.dictionary)[1]);
  }
}

const byteRange = (dictionary: JsonDictionary): readonly [number, number, number, number] =>
  dictionary['/ByteRange'] as unknown as readonly [number, number, number, number];

/**
 * The output of `openssl ts -verify` for each document time stamp, including its path to the root; `OK` for a valid
 * time stamp.
 */
export async function verifyTimestampsWithOpenssl(
  path: string,
  root: Buffer,
  intermediate: Buffer,
): Promise<readonly string[]> {
  const file = await readFile(path);
  const [data, token, trusted, untrusted] = ['data', 'token', 'root', 'untrusted'].map((end) => `${path}.${end}`);
  if (!data || !token || !trusted || !untrusted) return [];
  await writeFile(trusted, toPem(root));
  await writeFile(untrusted, toPem(intermediate));
  const verdicts: string[] = [];
  for (const { dictionary, contents } of (await QpdfView.open(path)).signatures) {
    if (dictionary['/SubFilter'] !== '/ETSI.RFC3161') continue;
    const [, first, second, length] = byteRange(dictionary);
    await writeFile(data, Buffer.concat([file.subarray(0, first), file.subarray(second, second + length)]));
    await writeFile(token, contents);
    const files = ['-data', data, '-in', token, '-token_in', '-CAfile', trusted, '-untrusted', untrusted];
    const { code, output, errors } = await runProgram('openssl', ['ts', '-verify', ...files]);
    verdicts.push(code === 0 && output.includes('Verification: OK') ? 'OK' : output + errors);
  }
  await Promise.all([data, token, trusted, untrusted].map((each) => rm(each, { force: true })));
  return verdicts;
}
