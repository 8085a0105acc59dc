import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';

const root = join(import.meta.dirname, '../..');

/** The fewest words of a state, and of the reason why no core comes there. */
const FEWEST_WORDS = 4;

function nodesIn(node: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = [node];
  node.forEachChild((child) => void found.push(...nodesIn(child)));
  return found;
}

/** The words of a property of an object literal; none: the property is absent, or is no text. */
function wordsOf(object: ts.Node | undefined, name: string): readonly string[] {
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return [];
  const property = object.properties.find((one) => one.name?.getText() === name);
  if (property === undefined || !ts.isPropertyAssignment(property) || !ts.isStringLiteral(property.initializer))
    return [];
  return property.initializer.text.split(' ');
}

/** The stand-ins of a text that tell no state or no reason, by their lines. */
function silentStandIns(text: string): readonly string[] {
  if (!text.includes('standIn(')) return [];
  const source = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const lineOf = (node: ts.Node): number => source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  return nodesIn(source)
    .filter((node) => ts.isCallExpression(node))
    .filter(({ expression }) => ts.isPropertyAccessExpression(expression) && expression.name.text === 'standIn')
    .flatMap((call) =>
      ['state', 'because']
        .filter((name) => wordsOf(call.arguments[0], name).length < FEWEST_WORDS)
        .map((name) => `line ${lineOf(call)}: ${name}`),
    );
}

const standIn = (given: string): string => `core.standIn({ ${given}, answers: {} });`;
const state = "state: 'the keys are in memory'";
const because = "because: 'the keychain of a person would be used'";

describe('answers in the place of the core of a window', () => {
  it.each([
    ['a state and a reason', standIn(`${state}, ${because}`), []],
    ['no reason', standIn(state), ['line 1: because']],
    ['no state', standIn(because), ['line 1: state']],
    ['a word as a state', standIn(`state: 'memory', ${because}`), ['line 1: state']],
    ['a reason from elsewhere', standIn(`${state}, because`), ['line 1: because']],
    ['a variable', 'core.standIn(other);', ['line 1: state', 'line 1: because']],
  ])('are judged by their words: %s', (_what, text, expected) => {
    expect(silentStandIns(text)).toEqual(expected);
  });

  it('each tell the state, and the reason why the core cannot be brought there', () => {
    const files = [...sourceFiles('test/renderer'), ...sourceFiles('test/desktop'), ...sourceFiles('test/bench')];
    const found = files.flatMap((path) =>
      silentStandIns(readFileSync(join(root, path), 'utf8')).map((problem) => `${path}, ${problem}`),
    );
    expect(found).toEqual([]);
  });

  it('are the only ones: no test has a core or calls of its own', () => {
    const others = sourceFiles('test/renderer').filter(
      (path) =>
        !path.endsWith('/real-core.ts') &&
        /\bimplements CallHandlers\b|: CallHandlers = |handlers\['user-interface'\] =/.test(
          readFileSync(join(root, path), 'utf8'),
        ),
    );
    expect(others).toEqual([]);
  });
});
