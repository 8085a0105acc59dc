/** The reference of the client for JavaScript, from its types and doc comments. */
import { join } from 'node:path';
import ts from 'typescript';

const folder = join(import.meta.dirname, '../../src/client');

/** An exported name of a module. */
interface ClientName {
  readonly name: string;
  readonly about: string;
  /** The declaration of a function or of a type without members. */
  readonly form?: string;
  readonly members: readonly { readonly form: string; readonly about: string }[];
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The exported names of `index.ts` or `server.ts`, in alphabetical order. */
function namesOf(module: 'index.ts' | 'server.ts'): readonly ClientName[] {
  const program = ts.createProgram([join(folder, module)], {
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(folder, module));
  const symbol = source && checker.getSymbolAtLocation(source);
  if (symbol === undefined) throw new Error(`The compiler finds no module in ${module}.`);
  return checker
    .getExportsOfModule(symbol)
    .map((exported) => describe(checker, exported))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

function describe(checker: ts.TypeChecker, exported: ts.Symbol): ClientName {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const about = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  const declaration = symbol.declarations?.[0];
  if (declaration === undefined) throw new Error(`${exported.name} has no declaration.`);
  const holdsMembers = ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration);
  const members = holdsMembers ? declaration.members.filter(isPublic) : [];
  return {
    name: exported.name,
    about,
    form: holdsMembers ? undefined : formOf(declaration),
    members: members.map((member) => ({ form: formOf(member), about: onOneLine(commentOf(checker, member)) })),
  };
}

function isPublic(member: ts.ClassElement | ts.TypeElement): boolean {
  if (ts.isConstructorDeclaration(member))
    return !(ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) && member.parameters.length < 3;
  return member.name !== undefined && !ts.isPrivateIdentifier(member.name);
}

function commentOf(checker: ts.TypeChecker, member: ts.Declaration): string {
  const symbol =
    (member as ts.NamedDeclaration).name && checker.getSymbolAtLocation((member as ts.NamedDeclaration).name!);
  return symbol === undefined ? '' : ts.displayPartsToString(symbol.getDocumentationComment(checker));
}

/** The declaration without body, comments and words of no use to a caller. */
function formOf(declaration: ts.Declaration): string {
  const body = (declaration as ts.FunctionLikeDeclaration).body;
  const text = declaration.getText().slice(0, body && body.getStart() - declaration.getStart());
  return onOneLine(text.replaceAll(/\/\*\*[^]*?\*\//g, ''))
    .replaceAll(/\b(export|readonly|async) /g, '')
    .replace(/[,;]$/, '');
}

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

function section({ name, about, form, members }: ClientName): string {
  const rows = members.map((member) => `| ${code(member.form)} | ${member.about.replaceAll('|', '\\|')} |`);
  const table = rows.length === 0 ? [] : [['| Member | Meaning |', '| --- | --- |', ...rows].join('\n')];
  const shown = form === undefined ? [] : [`\`\`\`ts\n${form}\n\`\`\``];
  return [`### ${code(name)}`, about, ...shown, ...table].join('\n\n');
}

/** The page docs/reference/client.md. */
export function clientPage(): string {
  const own = namesOf('index.ts');
  const known = new Set(own.map(({ name }) => name));
  const server = namesOf('server.ts').filter(({ name }) => !known.has(name));
  return `# The client for JavaScript

The names of \`sinete-client\` (\`/client.js\` of an instance) and of \`sinete-client/server\`. [Its README](../../src/client/README.md) has the first examples. \`SineteError\` belongs to both modules.

## \`sinete-client\`

${own.map(section).join('\n\n')}

## \`sinete-client/server\`

${server.map(section).join('\n\n')}`;
}
