/** Signs a PDF with the generated client, in the four steps: `sign-first.ts CLIENT URL INPUT OUTPUT`. */
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/** The part of the generated client used here. */
interface Client {
  readonly Configuration: new (parameters: { readonly basePath: string }) => object;
  readonly SigningServiceApi: new (configuration: object) => {
    createTransaction(request: { readonly createTransaction: object }): Promise<{ readonly tcn: string }>;
    uploadToOnlySetting(request: {
      readonly tcn: string;
      readonly documentId: 'eot';
      readonly document: Blob;
    }): Promise<unknown>;
    queryTransaction(request: {
      readonly tcn: string;
      readonly wait: number;
    }): Promise<{ readonly documents: readonly { readonly id: string; readonly status: string }[] }>;
    downloadDocument(request: { readonly tcn: string; readonly documentId: string }): Promise<Blob>;
  };
}

const [client = '', url = '', input = '', output = ''] = process.argv.slice(2);
const { Configuration, SigningServiceApi } = (await import(pathToFileURL(client).href)) as Client;
const api = new SigningServiceApi(new Configuration({ basePath: url }));
const { tcn } = await api.createTransaction({
  createTransaction: { type: 'PAdES', documentsSource: 'UPLOAD_REFERENCE' },
});
await api.uploadToOnlySetting({ tcn, documentId: 'eot', document: new Blob([await readFile(input)]) });
const { documents } = await api.queryTransaction({ tcn, wait: 60 });
const [document] = documents;
if (document?.status !== 'SIGNED') throw new Error(`The document is ${document?.status ?? 'not there'}.`);
const signed = await api.downloadDocument({ tcn, documentId: document.id });
await writeFile(output, Buffer.from(await signed.arrayBuffer()));
