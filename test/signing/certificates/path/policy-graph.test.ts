import { describe, expect, it } from 'vitest';
import { PolicyGraph } from '../../../../src/signing/certificates/path/policy-graph.ts';
import type { PathExtensions } from '../../../../src/signing/certificates/path/path-extensions.ts';
import type { PathPolicies } from '../../../../src/signing/index.ts';

const ANY = '2.5.29.32.0';

/** A certificate of a path, as far as policies go. */
interface Step extends Partial<Omit<PathExtensions, 'policies' | 'policyMappings'>> {
  readonly policies?: readonly string[];
  /** `A>B`: the issuer's policy A is the subject's policy B. */
  readonly maps?: readonly string[];
  readonly selfIssued?: boolean;
}

const extensionsOf = ({ policies, maps = [], ...rest }: Step): PathExtensions => ({
  pathLength: undefined,
  nameConstraints: undefined,
  alternativeNames: [],
  requireExplicitPolicy: undefined,
  inhibitPolicyMapping: undefined,
  inhibitAnyPolicy: undefined,
  ...rest,
  policies: policies && new Set(policies),
  policyMappings: maps.map((text) => {
    const [from = '', to = ''] = text.split('>');
    return [from, to] as const;
  }),
});

/** The valid policies of a path from below the anchor; the number of the certificate ending it, or `none`. */
function run(steps: readonly Step[], rules: PathPolicies = {}): readonly string[] | number | 'none' {
  const graph = new PolicyGraph(steps.length, rules);
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    if (!graph.add({ extensions: extensionsOf(step), selfIssued: step.selfIssued ?? false, isLast })) return index;
  }
  return graph.finish() ?? 'none';
}

const of = (...policies: readonly string[]): Step => ({ policies });
const EXPLICIT: PathPolicies = { requireExplicit: true };

const rows: readonly (readonly [string, readonly Step[], ReturnType<typeof run>, PathPolicies?])[] = [
  ['policies that stand in every certificate', [of('A', 'B'), of('B', 'A')], ['A', 'B']],
  ['a policy that the next certificate does not have', [of('A', 'B'), of('A')], ['A']],
  ['a policy that no certificate above has', [of('A'), of('A', 'B')], ['A']],
  ['any policy everywhere', [of(ANY), of(ANY)], [ANY]],
  ['any policy everywhere, for a caller with a wish', [of(ANY), of(ANY)], ['A', 'B'], { acceptable: ['A', 'B'] }],
  ['any policy beside another', [of('A', ANY), of('A', ANY)], ['A', ANY]],
  ['any policy below one', [of('A'), of(ANY)], ['A']],
  ['one below any policy', [of(ANY), of('A')], ['A']],
  ['wishes that are partly met', [of('A', 'B'), of('A', 'B')], ['B'], { acceptable: ['B', 'C'] }],
  ['wishes that are not met', [of('A'), of('A')], [], { acceptable: ['B'] }],
  ['wishes that are not met, where one is needed', [of('A'), of('A')], 'none', { acceptable: ['B'], ...EXPLICIT }],
  ['no policies', [{}, {}], []],
  ['no policies where one is needed', [{}, {}], 0, EXPLICIT],
  ['policies that end in the middle', [of('A'), {}, of('A')], []],
  ['policies that end in the middle, where one is needed', [of('A'), of('B'), of('B')], 1, EXPLICIT],
  ['a need of the last certificate', [of('A'), { requireExplicitPolicy: 0 }], 'none'],
  ['a need of the last certificate that comes later', [of('A'), { requireExplicitPolicy: 1 }], []],
  ['a need at once', [{ requireExplicitPolicy: 0 }, {}], 1],
  ['a need after one certificate', [{ requireExplicitPolicy: 1 }, {}, {}], 2],
  ['a need after one certificate, which is the last', [{ requireExplicitPolicy: 1 }, {}], 'none'],
  ['a need after two certificates', [{ requireExplicitPolicy: 2 }, {}], []],
  [
    'a need that a self-issued certificate does not bring nearer',
    [{ requireExplicitPolicy: 1 }, { selfIssued: true }, {}],
    'none',
  ],
  [
    'an earlier need, which a later certificate cannot put off',
    [{ requireExplicitPolicy: 0 }, { requireExplicitPolicy: 5 }],
    1,
  ],
  ['a mapped policy', [{ ...of('A'), maps: ['A>B'] }, of('B')], ['A']],
  ['the policy from before its mapping', [{ ...of('A'), maps: ['A>B'] }, of('A')], []],
  ['a policy beside a mapped one', [{ ...of('A', 'C'), maps: ['A>B'] }, of('C')], ['C']],
  ['two policies mapped to one', [{ ...of('A', 'B'), maps: ['A>C', 'B>C'] }, of('C')], ['A', 'B']],
  ['a policy mapped to two, the first', [{ ...of('A'), maps: ['A>B', 'A>C', 'A>B'] }, of('B')], ['A']],
  ['a policy mapped to two, the second', [{ ...of('A'), maps: ['A>B', 'A>C', 'A>B'] }, of('C')], ['A']],
  ['a mapping of a policy that is not there', [{ ...of('A'), maps: ['B>C'] }, of('C')], []],
  ['a mapping below any policy', [{ ...of(ANY), maps: ['A>B'] }, of('B')], ['A']],
  ['a mapping below any policy, of a wish', [{ ...of(ANY), maps: ['A>B'] }, of('B')], ['A'], { acceptable: ['A'] }],
  ['a mapping that any policy below keeps', [{ ...of('A'), maps: ['A>B'] }, of(ANY)], ['A']],
  ['a mapping through two authorities', [{ ...of('A'), maps: ['A>B'] }, { ...of('B'), maps: ['B>C'] }, of('C')], ['A']],
  [
    'a mapping that the caller forbids, its subject',
    [{ ...of('A', 'B'), maps: ['A>C'] }, of('C')],
    [],
    { inhibitMapping: true },
  ],
  [
    'a mapping that the caller forbids, its issuer',
    [{ ...of('A', 'B'), maps: ['A>C'] }, of('A')],
    [],
    { inhibitMapping: true },
  ],
  [
    'a policy beside a forbidden mapping',
    [{ ...of('A', 'B'), maps: ['A>C'] }, of('B', 'A')],
    ['B'],
    { inhibitMapping: true },
  ],
  ['no mapping, where the caller forbids them', [of('A'), of('A')], ['A'], { inhibitMapping: true }],
  [
    'a mapping that the same certificate forbids for later',
    [{ ...of('A'), maps: ['A>B'], inhibitPolicyMapping: 0 }, of('B')],
    ['A'],
  ],
  [
    'a mapping that the certificate above forbids',
    [{ ...of('A'), inhibitPolicyMapping: 0 }, { ...of('A'), maps: ['A>B'] }, of('B')],
    [],
  ],
  [
    'a second mapping where one is allowed',
    [{ ...of('A'), inhibitPolicyMapping: 1 }, { ...of('A'), maps: ['A>B'] }, { ...of('B'), maps: ['B>C'] }, of('C')],
    [],
  ],
  [
    'a second mapping where the first was of a self-issued certificate',
    [
      { ...of('A'), inhibitPolicyMapping: 1 },
      { ...of('A'), maps: ['A>B'], selfIssued: true },
      { ...of('B'), maps: ['B>C'] },
      of('C'),
    ],
    ['A'],
  ],
  ['any policy where the caller forbids it', [of(ANY), of('A')], [], { inhibitAny: true }],
  ['any policy where the certificate above forbids it', [{ ...of('A'), inhibitAnyPolicy: 0 }, of(ANY), of('A')], []],
  ['any policy in the certificate that forbids it below', [{ ...of(ANY), inhibitAnyPolicy: 0 }, of('A')], ['A']],
  ['any policy once where it is allowed once', [{ ...of('A'), inhibitAnyPolicy: 1 }, of(ANY), of('A')], ['A']],
  ['any policy twice where it is allowed once', [{ ...of('A'), inhibitAnyPolicy: 1 }, of(ANY), of(ANY), of('A')], []],
  [
    'any policy behind a self-issued certificate where it is allowed once',
    [{ ...of('A'), inhibitAnyPolicy: 1 }, { ...of('A'), selfIssued: true }, of(ANY), of('A')],
    ['A'],
  ],
  [
    'any policy of a self-issued certificate',
    [{ ...of('A'), inhibitAnyPolicy: 0 }, { ...of(ANY), selfIssued: true }, of('A')],
    ['A'],
  ],
  [
    'any policy of a self-issued certificate at the end',
    [
      { ...of('A'), inhibitAnyPolicy: 0 },
      { ...of(ANY), selfIssued: true },
    ],
    [],
  ],
];

describe('PolicyGraph (RFC 5280 §6.1.3 to §6.1.5, RFC 9618)', () => {
  it.each(rows.map(([name, steps, expected, rules = {}]) => [name, steps, expected, rules] as const))(
    'judges %s',
    (_, steps, expected, rules) => {
      expect(run(steps, rules)).toEqual(expected);
    },
  );
});
