/** The reference of the public names of the signing core, from its types and doc comments. */
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const index = join(root, 'src/signing/index.ts');

interface PublicName {
  /** The folder of the core that declares the name; empty for a file of the core's own folder. */
  readonly folder: string;
  readonly name: string;
  readonly kind: string;
  /** First sentence of the doc comment. */
  readonly about: string;
}

let known: readonly PublicName[] | undefined;

/** Every name that `sinete-signing` exports, in alphabetical order. Throws when the compiler finds no module. */
export const publicNames = (): readonly PublicName[] => (known ??= readPublicNames());

function readPublicNames(): readonly PublicName[] {
  const program = ts.createProgram([index], {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(index);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`The compiler finds no module in ${index}.`);
  return checker
    .getExportsOfModule(module)
    .map((exported) => describeName(checker, exported))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

function describeName(checker: ts.TypeChecker, exported: ts.Symbol): PublicName {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const [declaration] = symbol.declarations ?? [];
  const [, folder = ''] = /src\/signing\/([^/]+)\//.exec(declaration?.getSourceFile().fileName ?? '') ?? [];
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ').trim();
  const [sentence = ''] = /^.*?[.:](?= [A-Z`]|$)/.exec(text) ?? [text];
  return { folder, name: exported.name, kind: kindOf(checker, symbol), about: sentence };
}

function kindOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  if (symbol.flags & ts.SymbolFlags.Class) return 'class';
  if (symbol.flags & ts.SymbolFlags.Function) return 'function';
  if (symbol.flags & ts.SymbolFlags.Interface) return 'interface';
  if (symbol.flags & ts.SymbolFlags.TypeAlias) return 'type';
  const callable = checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0;
  return callable ? 'function' : 'constant';
}
