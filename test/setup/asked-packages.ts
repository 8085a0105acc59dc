/** Finds in the sources which names of the table of system packages a kind of run needs. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** The functions and classes whose first parameter is a name of the table. */
const ASKING = new Set([
  'systemTool',
  'javaLibrary',
  'systemFile',
  'runProgram',
  'runTool',
  'runToolForBytes',
  'judge',
  'ResidentProgram',
]);

const TABLE = 'test/setup/system-packages.ts';

/** One top-level statement of a file: imports lead from there to statements of other files. */
interface Statement {
  readonly declares: ReadonlySet<string>;
  readonly mentions: ReadonlySet<string>;
  readonly asks: ReadonlySet<string>;
  /** Paths of files that the statement starts (`new URL('./child.ts', …)`) or imports at run time. */
  readonly starts: ReadonlySet<string>;
}

interface SourceFile {
  readonly statements: readonly Statement[];
  /** Local name → file and its exported name; `*` for all of a file. */
  readonly imports: ReadonlyMap<string, readonly [path: string, name: string]>;
  readonly reexports: readonly string[];
}

/** `libraries: ['bcprov', …]` of a Java program names packages too; the type of the list is `JavaLibrary`. */
function askedBy(node: ts.Node): readonly string[] {
  const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
  if (isCall && ts.isIdentifier(node.expression) && ASKING.has(node.expression.text)) {
    const [name] = node.arguments ?? [];
    return name !== undefined && ts.isStringLiteral(name) ? [name.text] : [];
  }
  if (!ts.isPropertyAssignment(node) || node.name.getText() !== 'libraries') return [];
  if (!ts.isArrayLiteralExpression(node.initializer)) return [];
  return node.initializer.elements.filter((name) => ts.isStringLiteral(name)).map(({ text }) => text);
}

function declaredBy(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    const names: string[] = [];
    const look = (name: ts.BindingName): void => {
      if (ts.isIdentifier(name)) names.push(name.text);
      else for (const element of name.elements) if (ts.isBindingElement(element)) look(element.name);
    };
    for (const { name } of statement.declarationList.declarations) look(name);
    return names;
  }
  const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

/** Follows calls and imports from the given files, and collects the names of the table. */
export class AskedPackages {
  readonly #root: string;
  readonly #files = new Map<string, SourceFile>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The names used by these files and their imports; paths are relative to the root. */
  from(entries: readonly string[]): ReadonlySet<string> {
    const seen = new Set<Statement>();
    const asked = new Set<string>();
    const opened = new Set<string>();
    const visit = (path: string, statement: Statement): void => {
      if (seen.has(statement)) return;
      seen.add(statement);
      const { imports } = this.#file(path);
      for (const name of statement.asks) asked.add(name);
      for (const child of statement.starts) reach(child, '*');
      for (const name of statement.mentions) {
        reachLocal(path, name);
        const imported = imports.get(name);
        if (imported !== undefined) reach(...imported);
      }
    };
    const reachLocal = (path: string, name: string): void => {
      for (const statement of this.#file(path).statements) if (statement.declares.has(name)) visit(path, statement);
    };
    /** Code outside functions runs as soon as a file is imported at all. */
    const reach = (path: string, name: string): void => {
      const { statements, imports, reexports } = this.#file(path);
      for (const statement of statements) if (statement.declares.size === 0 || name === '*') visit(path, statement);
      reachLocal(path, name);
      const passedOn = imports.get(name);
      if (passedOn !== undefined) reach(...passedOn);
      if (opened.has(`${path} ${name}`)) return;
      opened.add(`${path} ${name}`);
      for (const next of reexports) reach(next, name);
    };
    for (const path of entries) reach(path, '*');
    return asked;
  }

  #file(path: string): SourceFile {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const read = this.#read(path);
    this.#files.set(path, read);
    return read;
  }

  #read(path: string): SourceFile {
    const text = readFileSync(join(this.#root, path), 'utf8');
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const imports = new Map<string, readonly [string, string]>();
    const reexports: string[] = [];
    const statements: Statement[] = [];
    /** A test file named by a text; the product itself needs no package. */
    const target = (name: string): string | undefined => {
      const found = join(dirname(path), name);
      // The table names everything and asks for nothing.
      if (found === TABLE) return undefined;
      return found.startsWith('test/') && /\.ts$/.test(name) && existsSync(join(this.#root, found)) ? found : undefined;
    };
    for (const statement of file.statements) {
      if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
        const { moduleSpecifier } = statement;
        const from = moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? target(moduleSpecifier.text) : undefined;
        if (from === undefined) continue;
        const clause = ts.isImportDeclaration(statement)
          ? statement.importClause?.namedBindings
          : statement.exportClause;
        if (clause === undefined && ts.isExportDeclaration(statement)) reexports.push(from);
        else if (clause !== undefined && 'elements' in clause) {
          for (const { name, propertyName, isTypeOnly } of clause.elements) {
            if (!isTypeOnly) imports.set(name.text, [from, (propertyName ?? name).text]);
          }
        } else if (clause !== undefined) imports.set(clause.name.text, [from, '*']);
        statements.push({ declares: new Set(), mentions: new Set(), asks: new Set(), starts: new Set() });
      } else statements.push(readStatement(statement, target));
    }
    return { statements, imports, reexports };
  }
}

function readStatement(statement: ts.Statement, target: (name: string) => string | undefined): Statement {
  const [mentions, asks, starts] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const look = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isIdentifier(node)) mentions.add(node.text);
    else if (ts.isStringLiteral(node)) {
      const path = target(node.text);
      if (path !== undefined) starts.add(path);
    }
    for (const name of askedBy(node)) asks.add(name);
    node.forEachChild(look);
  };
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  if (!isType) look(statement);
  const declares = new Set(isType ? [statement.name.text] : declaredBy(statement));
  return { declares, mentions, asks, starts };
}
