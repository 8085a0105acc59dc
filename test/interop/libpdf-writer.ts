/** LibPDF (npm) as a writer of invisible signatures. */
import { readFile, writeFile } from 'node:fs/promises';
import { installSuite } from '../setup/install-suite.ts';
import type { ForeignChange } from '../oracles/foreign-writers.ts';

/** The part of LibPDF in use: the package belongs to this suite, and its types are not always there. */
interface LibPdf {
  readonly PDF: {
    load(
      bytes: Uint8Array,
      options?: { readonly credentials?: string },
    ): Promise<{
      sign(options: { readonly signer: unknown; readonly reason: string; readonly subFilter: string }): Promise<{
        readonly bytes: Uint8Array;
      }>;
    }>;
  };
  readonly P12Signer: { create(file: Uint8Array, password: string): Promise<unknown> };
}

const PACKAGE: string = '@libpdf/core';

/** The key of the signer. */
export interface LibPdfKey {
  readonly pkcs12: string;
  readonly password: string;
}

/** Signs with LibPDF; rejects when it cannot sign incrementally. */
export async function writeWithLibPdf(key: LibPdfKey, { input, output, password }: ForeignChange): Promise<void> {
  installSuite('test/interop');
  const { PDF, P12Signer } = (await import(PACKAGE)) as LibPdf;
  const signer = await P12Signer.create(await readFile(key.pkcs12), key.password);
  const source = await readFile(input);
  const document = await PDF.load(source, password === undefined ? {} : { credentials: password });
  const { bytes } = await document.sign({ signer, reason: 'foreign', subFilter: 'adbe.pkcs7.detached' });
  if (!source.equals(Buffer.from(bytes.subarray(0, source.length)))) throw new Error('LibPDF wrote the file anew.');
  await writeFile(output, bytes);
}
