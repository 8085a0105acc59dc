/**
 * Counts abstract pronouns in comments and in titles of tests. A comment full of "what", "that which" and "it" makes its
 * reader look for the subject of each sentence; the limit keeps comments readable at the first reading.
 *
 * `node test/architecture/plain-language.ts [PATH…]` prints the rate of each path and the sentences with most pronouns.
 */
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Words that stand for a noun which the reader has to find. */
export const pronouns: ReadonlySet<string> = new Set(
  'what whatever who whoever whose whom which that those one ones it they them'.split(' '),
);

/** Most pronouns in 100 words, for each tree. */
export const pronounLimit = 3;

/** The counted trees, each by itself; in tests the titles count too. */
export const countedTrees = ['src', 'renderer/src', 'test'] as const;

/** Shorter sentences are labels, not prose. */
const leastWords = 5;

/** A sentence of a comment. */
export interface Sentence {
  readonly file: string;
  /** Line of the comment, from 1. */
  readonly line: number;
  readonly text: string;
  readonly words: number;
  readonly pronouns: number;
}

/** The sentences of at least five words in the comments of a TypeScript source text; code spans are left out. */
export function commentSentences(file: string, source: string): readonly Sentence[] {
  return comments(source).flatMap(({ line, text }) =>
    text
      .split(/(?<=[.!?])\s+|\n\s*\n|\n\s*- /)
      .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
      .map((sentence) => sentenceOf(file, line, sentence))
      .filter(({ words }) => words >= leastWords),
  );
}

function sentenceOf(file: string, line: number, text: string): Sentence {
  const words = wordsOf(text);
  return { file, line, text, words: words.length, pronouns: words.filter((word) => pronouns.has(word)).length };
}

const titleFunctions: ReadonlySet<string> = new Set(['describe', 'it', 'test']);

/** The titles of tests and of their groups in a TypeScript source text, each as a sentence. */
export function testTitles(file: string, source: string): readonly Sentence[] {
  const tree = ts.createSourceFile('any.ts', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const found: Sentence[] = [];
  const visit = (node: ts.Node): void => {
    const title = ts.isCallExpression(node) && isTitled(node.expression) ? node.arguments[0] : undefined;
    if (title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
      const line = tree.getLineAndCharacterOfPosition(title.getStart(tree)).line + 1;
      found.push(sentenceOf(file, line, title.getText(tree).slice(1, -1)));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** True for `it`, `it.skip`, `it.each(rows)`, `itNeeding('Linux')` and the like: a title is the next argument. */
function isTitled(called: ts.Expression): boolean {
  if (ts.isIdentifier(called)) return titleFunctions.has(called.text);
  if (ts.isPropertyAccessExpression(called)) return isTitled(called.expression);
  return (
    ts.isCallExpression(called) && (isTitled(called.expression) || /^\w+Needing$/.test(called.expression.getText()))
  );
}

/** Most pronouns in 100 words of the comments and titles in a folder of `test`. */
export const testFolderLimit = 4;

/** Words of a folder to be held by itself. In smaller folders a few words decide; the limit of the tree suffices there. */
const leastFolderWords = 500;

/** Pronouns in 100 words of the comments and titles, by folder of `test`, without small folders. */
export async function ratesOfTestFolders(): Promise<Readonly<Record<string, number>>> {
  const sentences = await sentencesBelow(join(root, 'test'));
  const byFolder = Map.groupBy(sentences, ({ file }) => file.replaceAll('\\', '/').split('/').slice(0, 2).join('/'));
  return Object.fromEntries(
    [...byFolder]
      .filter(([, inFolder]) => inFolder.reduce((sum, { words }) => sum + words, 0) >= leastFolderWords)
      .map(([folder, inFolder]) => [folder, pronounRate(inFolder)]),
  );
}

/** The sentences of the comments and titles of a source text. */
const sentencesOf = (file: string, source: string): readonly Sentence[] => [
  ...commentSentences(file, source),
  ...testTitles(file, source),
];

/** Pronouns in 100 words of the sentences; 0 where there are none. */
export function pronounRate(sentences: readonly Sentence[]): number {
  const words = sentences.reduce((sum, sentence) => sum + sentence.words, 0);
  const found = sentences.reduce((sum, sentence) => sum + sentence.pronouns, 0);
  return words === 0 ? 0 : (100 * found) / words;
}

/**
 * The sentences in all comments, and the titles of tests, of the TypeScript and JavaScript files below a folder, or of
 * a single file.
 */
export async function sentencesBelow(path: string): Promise<readonly Sentence[]> {
  const files = await sourceFiles(path);
  return files.flatMap((file) => sentencesOf(relative(root, file), readFileSync(file, 'utf8')));
}

const root = fileURLToPath(new URL('../..', import.meta.url));

async function sourceFiles(path: string): Promise<readonly string[]> {
  if (/\.(ts|tsx|js|mjs)$/.test(path)) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(ts|tsx|js|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/\/(dist|node_modules|\.work)\//.test(file))
    .sort();
}

/** The comments of a source text, without their marks and code spans; neighbouring line comments are one comment. */
function comments(source: string): readonly { readonly line: number; readonly text: string }[] {
  const found: { line: number; text: string; lastLine: number; isLine: boolean }[] = [];
  const file = ts.createSourceFile('any.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  for (const { pos, end, kind } of commentRanges(file)) {
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const raw = source.slice(pos, end);
    const text = plainText(raw, isLine);
    const line = file.getLineAndCharacterOfPosition(pos).line + 1;
    const lastLine = file.getLineAndCharacterOfPosition(end).line + 1;
    const previous = found.at(-1);
    if (isLine && previous?.isLine === true && previous.lastLine === line - 1) {
      previous.text += `\n${text}`;
      previous.lastLine = lastLine;
    } else found.push({ line, text, lastLine, isLine });
  }
  return found;
}

function commentRanges(file: ts.SourceFile): readonly ts.CommentRange[] {
  const text = file.text;
  const byStart = new Map<number, ts.CommentRange>();
  const add = (ranges: readonly ts.CommentRange[] | undefined): void => {
    for (const range of ranges ?? []) byStart.set(range.pos, range);
  };
  const jsxTexts: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) jsxTexts.push(node);
    add(ts.getLeadingCommentRanges(text, node.getFullStart()));
    add(ts.getTrailingCommentRanges(text, node.getEnd()));
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  // Text between JSX tags may hold "//" and is no comment.
  return [...byStart.values()]
    .filter(({ pos }) => !jsxTexts.some((node) => node.getFullStart() <= pos && pos < node.getEnd()))
    .sort((one, other) => one.pos - other.pos);
}

function plainText(comment: string, isLine: boolean): string {
  const body = isLine ? comment.slice(2) : comment.slice(2, -2).replaceAll(/^[ \t]*\*+/gm, '');
  return body
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/`[^`]*`/g, ' CODE ')
    .replaceAll(/\{@link [^}]*\}/g, ' CODE ');
}

function wordsOf(sentence: string): readonly string[] {
  return (sentence.match(/[\p{L}\d][\p{L}\d'’-]*/gu) ?? []).map((word) => word.toLowerCase());
}

async function printRates(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const sentences = await sentencesBelow(join(root, path));
    const byFile = Map.groupBy(sentences, ({ file }) => file);
    const rate = pronounRate(sentences).toFixed(2);
    console.log(`${path}: ${rate} pronouns per 100 words (${sentences.length} sentences; limit ${pronounLimit})`);
    const worst = [...byFile]
      .map(([file, inFile]) => ({
        file,
        rate: pronounRate(inFile),
        pronouns: inFile.reduce((n, s) => n + s.pronouns, 0),
      }))
      .sort((one, other) => other.pronouns - one.pronouns)
      .slice(0, 25);
    for (const entry of worst) console.log(`  ${entry.pronouns} in ${entry.file} (${entry.rate.toFixed(1)})`);
    const hardest = sentences.toSorted((one, other) => other.pronouns - one.pronouns).slice(0, 15);
    for (const { file, line, text } of hardest) console.log(`  ${file}:${line}: ${text}`);
  }
}

if (import.meta.main) {
  const paths = process.argv.slice(2);
  await printRates(paths.length === 0 ? countedTrees : paths.map((path) => relative(root, join(process.cwd(), path))));
}
