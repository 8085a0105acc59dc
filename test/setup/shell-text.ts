/**
 * Checks the programs started by shells of tests. A shell finds programs by itself, unseen by the lint rule and the
 * table of packages, so the words of a shell are read before the run.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { systemPackages } from './system-packages.ts';

const SHELLS = new Set(['sh', 'bash']);

/** Words of the language, and programs of Debian's essential packages, present on every machine. */
const KNOWN = new Set(
  `. : [ [[ break case cd continue do done elif else esac eval exec exit export false fi for if in local printf read
  readonly return set shift source test then trap true ulimit umask unset until wait while { } !
  base64 basename cat chmod chown cmp cp cut dirname echo grep head kill ln mkdir mktemp mv pwd rm rmdir sed sh sleep sort tail tee touch tr uname wc
  npm node pivot_root`.split(/\s+/),
);

/** The texts handed by a command line to another shell: `sh -c '…'`. */
function handedOn(tokens: readonly Token[], at: number): readonly string[] {
  const [flag, text] = [tokens[at + 1]?.text, tokens[at + 2]?.text ?? ''];
  return flag === '-c' ? [text.replaceAll(/^["']|["']$/g, '')] : [];
}

/** Words followed by another command. */
const LEADING = new Set(['!', '{', 'do', 'elif', 'else', 'eval', 'exec', 'if', 'then', 'until', 'while']);

/** Programs starting the program named by their parameters. */
const STARTERS = new Set(['chroot', 'dbus-run-session', 'env', 'ip', 'nsenter', 'timeout', 'unshare']);

const tableNames: ReadonlySet<string> = new Set(
  systemPackages.flatMap((row): readonly string[] => ('programs' in row ? row.programs : [])),
);

/** A word of a shell text, or a sign ending a command. */
interface Token {
  readonly text: string;
  readonly kind: 'word' | 'end' | 'open' | 'close' | 'redirect';
}

const SIGNS: readonly (readonly [RegExp, Token['kind']])[] = [
  [/^\d*(?:&>>?|[<>]&\d*-?|<<<|<>|>>|[<>]\|?)/, 'redirect'],
  [/^(?:;;|&&|\|\||[;|&\n])/, 'end'],
  [/^\(/, 'open'],
  [/^\)/, 'close'],
];
/** A piece of a word: quoted text, a variable with its braces, an escaped character, or plain characters. */
const PIECE =
  /^(?:'[^']*'|\$'(?:[^'\\]|\\.)*'|"(?:\$\([^()]*(?:\([^()]*\)[^()]*)*\)|[^"\\]|\\.)*"|\$\{[^}]*\}|\$\(\([^)]*\)\)|\\[^]|[^\s;|&<>()'"\\]|\$)/;

/** Command lines inside a word: `$(…)`, also inside double quotes. */
function insideOf(word: string): readonly string[] {
  const found: string[] = [];
  for (let at = word.indexOf('$('); at >= 0; at = word.indexOf('$(', at + 2)) {
    if (word.startsWith('$((', at)) continue;
    let depth = 1;
    let end = at + 2;
    for (; end < word.length && depth > 0; end += 1) depth += { '(': 1, ')': -1 }[word[end] ?? ''] ?? 0;
    found.push(word.slice(at + 2, end - 1));
  }
  return found;
}

function tokensOf(script: string): readonly Token[] {
  const tokens: Token[] = [];
  let text = script.replaceAll('\\\n', ' ');
  while (text !== '') {
    const blank = /^(?:[ \t]+|#[^\n]*)/.exec(text)?.[0];
    if (blank !== undefined) {
      text = text.slice(blank.length);
      continue;
    }
    // A condition has signs of its own.
    const condition = /^\[\[ [^]*? \]\]/.exec(text)?.[0];
    const sign = SIGNS.map(([pattern, kind]) => [pattern.exec(text)?.[0], kind] as const).find(([found]) => found);
    let word = condition ?? sign?.[0] ?? '';
    if (word === '') {
      for (let piece = PIECE.exec(text); piece !== null; piece = PIECE.exec(text.slice(word.length))) word += piece[0];
    }
    if (word === '') throw new Error(`This shell text cannot be read: ${text.slice(0, 40)}`);
    tokens.push({ text: word, kind: condition === undefined ? (sign?.[1] ?? 'word') : 'word' });
    text = text.slice(word.length);
  }
  return tokens;
}

/** The commands of a shell text, except known words, its own functions, variables and paths. */
function strangersOf(script: string): readonly string[] {
  const tokens = tokensOf(script);
  const own = new Set(tokens.flatMap(({ text }, at) => (isFunction(tokens, at) ? [text] : [])));
  const found: string[] = [];
  let isCommand = true;
  let depth = 0;
  for (const [at, { text, kind }] of tokens.entries()) {
    found.push(...(kind === 'word' && !text.startsWith("'") ? insideOf(text).flatMap(strangersOf) : []));
    if (kind === 'open') depth += 1;
    // A bracket without an opening ends the pattern of a case.
    if (kind === 'close' && depth > 0) depth -= 1;
    if (kind !== 'word') {
      isCommand = kind !== 'redirect' || isCommand;
      continue;
    }
    const isTarget = tokens[at - 1]?.kind === 'redirect' && !/&[\d-]/.test(tokens[at - 1]?.text ?? '');
    const isPattern = tokens[at + 1]?.kind === 'close' && depth === 0;
    if (!isCommand || isTarget || isPattern || /^\w+\+?=/.test(text)) continue;
    isCommand = LEADING.has(text);
    const name = text.replaceAll(/["']/g, '');
    if (SHELLS.has(name)) found.push(...handedOn(tokens, at).flatMap(strangersOf));
    // The functions of completions, read by a shell from a file, begin with an underscore.
    const isOurs = KNOWN.has(text) || own.has(name) || name.startsWith('_') || text.startsWith('[[ ');
    if (!isOurs && !/[$/]/.test(name)) found.push(name);
  }
  return found;
}

const isFunction = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.kind === 'word' && tokens[at + 1]?.kind === 'open' && tokens[at + 2]?.kind === 'close';

/**
 * Answers the parameters of a program starting others: a shell with its text or its script, or a program such as
 * `unshare`. Throws for a named program missing in `programs`, the paths answered by `systemTool`.
 */
export function knownWords(words: readonly string[], programs: readonly string[] = []): readonly string[] {
  const handedIn = new Set(programs.map((path) => basename(path)));
  const texts = words.flatMap((word, at) => {
    if (/^-[a-z]*c$/.test(words[at - 1] ?? '')) return [word];
    return /\.sh$|^\.ci\//.test(word) && existsSync(word) ? [readFileSync(word, 'utf8')] : [];
  });
  const strangers = texts.flatMap(strangersOf).filter((name) => !handedIn.has(name));
  const [first] = strangers;
  if (first === undefined) return words;
  throw new Error(
    `A shell of the tests starts ${first}. Hand in the path that systemTool answers, so that the table knows its package.`,
  );
}

/** The text of a program put by a test in the place of another. Throws as `knownWords` does. */
export function shellProgram(...lines: readonly string[]): string {
  knownWords(['-c', lines.join('\n')]);
  // eslint-disable-next-line tests/programs-of-the-table -- Every machine has a shell at this path.
  return `#!/bin/sh\n${lines.join('\n')}\n`;
}

/** Checks the parameters of a program of the table; programs starting no others have none to check. */
export function checkWords(program: string, words: readonly string[]): void {
  if (SHELLS.has(program) || words.some((word) => SHELLS.has(word))) knownWords(words);
  if (!STARTERS.has(program)) return;
  const named = words.find((word) => tableNames.has(word) && !SHELLS.has(word));
  if (named !== undefined) throw new Error(`${program} starts ${named}: hand in the path that systemTool answers.`);
}
