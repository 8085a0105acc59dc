import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');

/**
 * Writes the declarations of `sinete/signing` beside its JavaScript: `FOLDER/src/signing/index.d.ts` and the modules it
 * names. Throws with the compiler's messages when the core does not compile.
 */
export function writeCoreDeclarations(folder: string, renameModules: (source: string) => string): void {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'src/signing/tsconfig.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => fail([diagnostic]),
    },
  );
  if (config === undefined) throw new Error('src/signing/tsconfig.json cannot be read.');
  const program = ts.createProgram([join(root, 'src/signing/index.ts')], {
    ...config.options,
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, stripInternal: true, skipLibCheck: true },
    ...{ rootDir: root, outDir: folder },
  });
  const { diagnostics } = program.emit(undefined, (path, text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, renameModules(text));
  });
  if (diagnostics.length > 0) fail(diagnostics);
}

function fail(diagnostics: readonly ts.Diagnostic[]): never {
  const host: ts.FormatDiagnosticsHost = {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  };
  throw new Error(ts.formatDiagnostics(diagnostics, host));
}
