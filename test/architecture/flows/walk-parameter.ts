import { join, relative } from 'node:path';
import ts from 'typescript';

/** Functions of a single source file with the followed value as an argument. */
export interface Stay {
  readonly file: string;
  /** Names of the functions, in the order of the calls. */
  readonly functions: readonly string[];
}

/** The way of a value through the sources, in the order of the calls. */
export interface Walk {
  readonly stays: readonly Stay[];
  /** Files with the number of stays after the first one. */
  readonly returns: ReadonlyMap<string, number>;
}

interface Found {
  readonly file: string;
  readonly name: string;
  readonly declaration: ts.FunctionLikeDeclaration;
}

/**
 * Follows a parameter from function to function of the service, in the order of the calls. The followed value may be
 * an argument itself, a part of an argument, or inside an argument. Neighbouring functions of a single file are one stay. A
 * call through an interface ends the way, because types alone do not tell the function. Results of calls are followed
 * where `types` has their type: such a result is the request in another form.
 */
export class ParameterWalk {
  readonly #root: string;
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #types: ReadonlySet<string>;
  readonly #entered: { readonly file: string; readonly name: string }[] = [];
  /** The functions around the present function, so that recursion is followed once. */
  readonly #within = new Set<ts.Node>();

  constructor(root: string, entry: string, types: readonly string[]) {
    this.#root = root;
    const config = ts.getParsedCommandLineOfConfigFile(
      join(root, 'src/tsconfig.json'),
      {},
      {
        ...ts.sys,
        onUnRecoverableConfigFileDiagnostic: () => undefined,
      },
    );
    this.#program = ts.createProgram([join(root, entry)], config?.options ?? {});
    this.#checker = this.#program.getTypeChecker();
    this.#types = new Set(types);
  }

  /** The way of the parameter at this place of a function. */
  follow(file: string, name: string, parameter: number): Walk {
    const source = this.#program.getSourceFile(join(this.#root, file));
    const declaration = source && functionNamed(source, name);
    if (declaration === undefined) throw new Error(`${file} has no function ${name}.`);
    this.#enter({ file, name, declaration }, new Set([parameter]));
    const stays: { file: string; functions: string[] }[] = [];
    for (const { file: at, name: entered } of this.#entered) {
      const last = stays.at(-1);
      if (last?.file === at) last.functions.push(entered);
      else stays.push({ file: at, functions: [entered] });
    }
    const counts = new Map<string, number>();
    for (const { file: at } of stays) counts.set(at, (counts.get(at) ?? -1) + 1);
    return { stays, returns: new Map([...counts].filter(([, count]) => count > 0)) };
  }

  #enter({ file, name, declaration }: Found, parameters: ReadonlySet<number>): void {
    this.#entered.push({ file, name });
    if (this.#within.has(declaration)) return;
    this.#within.add(declaration);
    const followed = new Set<ts.Symbol>();
    for (const [index, parameter] of declaration.parameters.entries()) {
      if (parameters.has(index)) this.#bind(parameter.name, followed);
    }
    if (declaration.body !== undefined) this.#visit(declaration.body, followed);
    this.#within.delete(declaration);
  }

  #bind(name: ts.BindingName, followed: Set<ts.Symbol>): void {
    if (ts.isIdentifier(name)) {
      const symbol = this.#checker.getSymbolAtLocation(name);
      if (symbol !== undefined) followed.add(symbol);
      return;
    }
    for (const element of name.elements) if (ts.isBindingElement(element)) this.#bind(element.name, followed);
  }

  #visit(node: ts.Node, followed: Set<ts.Symbol>): void {
    if (ts.isForOfStatement(node)) this.#bindElement(node, followed);
    if (ts.isCallExpression(node)) this.#bindCallbacks(node, followed);
    ts.forEachChild(node, (child) => this.#visit(child, followed));
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      if (this.#carries(node.initializer, followed)) this.#bind(node.name, followed);
    }
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) this.#call(node, followed);
  }

  /** The element of a loop over the value, or over an iteration of the value such as `eachInParts`. */
  #bindElement({ initializer, expression }: ts.ForOfStatement, followed: Set<ts.Symbol>): void {
    const list = ts.isCallExpression(expression) ? [...expression.arguments] : [expression];
    if (!ts.isVariableDeclarationList(initializer) || !list.some((one) => this.#carries(one, followed))) return;
    for (const { name } of initializer.declarations) this.#bind(name, followed);
  }

  /** The parameter of a callback of a list in the followed value, such as the callback of `documents.map`. */
  #bindCallbacks(node: ts.CallExpression, followed: Set<ts.Symbol>): void {
    const { expression } = node;
    if (!ts.isPropertyAccessExpression(expression) || !this.#carries(expression.expression, followed)) return;
    for (const callback of node.arguments) {
      if (!ts.isArrowFunction(callback)) continue;
      const [element] = callback.parameters;
      if (element !== undefined) this.#bind(element.name, followed);
    }
  }

  #call(node: ts.CallExpression | ts.NewExpression, followed: ReadonlySet<ts.Symbol>): void {
    const indexes = (node.arguments ?? []).flatMap((argument, index) =>
      this.#carries(argument, followed) ? [index] : [],
    );
    if (indexes.length === 0) return;
    const found = this.#declarationOf(node);
    if (found !== undefined) this.#enter(found, new Set(indexes));
  }

  /** True if an expression is the followed value, a part of the value, or an object or list with the value inside. */
  #carries(node: ts.Expression, followed: ReadonlySet<ts.Symbol>): boolean {
    if (this.#isClosed(node)) return false;
    if (ts.isIdentifier(node)) {
      const symbol = this.#checker.getSymbolAtLocation(node);
      return symbol !== undefined && followed.has(symbol);
    }
    if (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node)) {
      return this.#carries(node.expression, followed);
    }
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      return this.#carries(node.expression, followed);
    }
    if (ts.isSpreadElement(node)) return this.#carries(node.expression, followed);
    if (ts.isConditionalExpression(node)) {
      return this.#carries(node.whenTrue, followed) || this.#carries(node.whenFalse, followed);
    }
    if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      const isChoice = kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;
      return isChoice && (this.#carries(node.left, followed) || this.#carries(node.right, followed));
    }
    if (ts.isArrayLiteralExpression(node)) return node.elements.some((one) => this.#carries(one, followed));
    if (ts.isObjectLiteralExpression(node)) {
      return node.properties.some((property) => {
        if (ts.isPropertyAssignment(property)) return this.#carries(property.initializer, followed);
        if (ts.isSpreadAssignment(property)) return this.#carries(property.expression, followed);
        if (!ts.isShorthandPropertyAssignment(property)) return false;
        const symbol = this.#checker.getShorthandAssignmentValueSymbol(property);
        return symbol !== undefined && followed.has(symbol);
      });
    }
    return ts.isCallExpression(node) && this.#answersRequest(node);
  }

  /** True for a member of a closed set, a number or a truth value: such values tell nothing of the documents. */
  #isClosed(node: ts.Expression): boolean {
    const type = this.#checker.getNonNullableType(this.#checker.getTypeAtLocation(node));
    const closed = ts.TypeFlags.Literal | ts.TypeFlags.BooleanLike | ts.TypeFlags.NumberLike;
    const parts = type.isUnion() ? type.types : [type];
    return parts.every(({ flags }) => (flags & (closed | ts.TypeFlags.TemplateLiteral)) !== 0);
  }

  /** True if a call answers the request in another form, alone or as a promise. */
  #answersRequest(node: ts.CallExpression): boolean {
    const type = this.#checker.getTypeAtLocation(node);
    const awaited = this.#checker.getAwaitedType(type) ?? type;
    return this.#types.has(awaited.getSymbol()?.name ?? awaited.aliasSymbol?.name ?? '');
  }

  #declarationOf(node: ts.CallExpression | ts.NewExpression): Found | undefined {
    const symbol = this.#symbolOf(node.expression);
    for (const declaration of symbol?.declarations ?? []) {
      const file = relative(this.#root, declaration.getSourceFile().fileName);
      if (!file.startsWith('src/service/') || file.startsWith('src/service/scheduling/')) continue;
      const own = functionIn(declaration, ts.isNewExpression(node));
      if (own !== undefined) return { file, name: symbol?.name ?? '', declaration: own };
    }
    return undefined;
  }

  #symbolOf(expression: ts.Expression): ts.Symbol | undefined {
    const place = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    const symbol = this.#checker.getSymbolAtLocation(place);
    if (symbol === undefined) return undefined;
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }
}

function functionIn(declaration: ts.Declaration, isNew: boolean): ts.FunctionLikeDeclaration | undefined {
  if (isNew && ts.isClassDeclaration(declaration)) return declaration.members.find(ts.isConstructorDeclaration);
  if (ts.isFunctionDeclaration(declaration) || ts.isMethodDeclaration(declaration)) {
    return declaration.body === undefined ? undefined : declaration;
  }
  if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) return undefined;
  const { initializer } = declaration;
  return ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer) ? initializer : undefined;
}

function functionNamed(source: ts.SourceFile, name: string): ts.FunctionLikeDeclaration | undefined {
  for (const statement of source.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement;
  }
  return undefined;
}
