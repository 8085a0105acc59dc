/**
 * A page written for the npm package `web-pki`: the compiler accepts it with the declarations of that package, and, after
 * its import alone was changed, with those of Sinete's module.
 */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { assembleClientPackage } from '../dist/pack-client.ts';

const root = join(import.meta.dirname, '../..');

const page = (module: string): string => `
import LacunaWebPKI from '${module}';

const pki = new LacunaWebPKI('a licence');

export function start(list: (names: string[]) => void, show: (text: string) => void): void {
  pki.init({
    ready: () => {
      pki
        .listCertificates()
        .success((certificates) => {
          list(certificates.map((c) => c.subjectName + ' (' + c.issuerName + ') ' + c.validityEnd.toISOString()));
        })
        .fail((failure) => show(failure.origin + ': ' + failure.message + failure.userMessage + failure.error));
    },
    notInstalled: (_status, message) => show(message),
    defaultFail: (failure) => show(failure.message),
  });
}

export function sign(thumbprint: string, hash: string, data: string, send: (signature: string) => void): void {
  pki.readCertificate({ thumbprint }).success((content) => send(content));
  pki.signHash({ thumbprint, hash, digestAlgorithm: 'SHA-256' }).success((signature) => send(signature));
  pki.signData({ thumbprint, data, digestAlgorithm: '2.16.840.1.101.3.4.2.1' }).success((signature) => send(signature));
  pki.preauthorizeSignatures({ certificateThumbprint: thumbprint, signatureCount: 2 }).success(() => {
    pki
      .signHashBatch({ certificateThumbprint: thumbprint, batch: [hash, hash], digestAlgorithm: 'SHA-256' })
      .success((result) => result.signatures.forEach((signature) => send(signature)));
  });
}
`;

/** Compiles the page with both modules. Rejects with the compiler's messages. */
export async function checkWebPkiPage(folder: string): Promise<void> {
  const place = join(folder, 'web-pki-page');
  const modules = join(place, 'node_modules');
  await mkdir(modules, { recursive: true });
  await cp(join(root, 'test/clients/node_modules/web-pki'), join(modules, 'web-pki'), { recursive: true });
  assembleClientPackage(join(modules, 'sinete-client'));
  await writeFile(join(place, 'before.ts'), page('web-pki'));
  await writeFile(join(place, 'after.ts'), page('sinete-client/web-pki'));
  const program = ts.createProgram([join(place, 'before.ts'), join(place, 'after.ts')], {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  });
  const found = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start).line ?? 0;
    return `${file?.fileName ?? ''}:${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
  if (found.length > 0) throw new Error(found.join('\n'));
}
