/**
 * Certificate policies along a path (RFC 5280 §6.1). The graph of RFC 9618 replaces the tree, because hostile
 * certificates can make the tree exponentially large.
 */
import { PathOid, type PathExtensions } from './path-extensions.ts';
import type { PathPolicies } from './path-result.ts';

/** A valid policy at one depth. */
interface PolicyNode {
  readonly policy: string;
  readonly parents: readonly PolicyNode[];
  /** Policies of the next certificate that continue this policy. */
  expected: readonly string[];
}

type Level = readonly PolicyNode[];

const { anyPolicy } = PathOid;

/** The next certificate of the path, with its place. */
export interface PolicyStep {
  readonly extensions: PathExtensions;
  readonly selfIssued: boolean;
  /** True for the certificate at the end of the path, the subject of the validation. */
  readonly isLast: boolean;
}

/** Nodes of a level by each expected policy. */
function byExpectedPolicy(level: Level): ReadonlyMap<string, readonly PolicyNode[]> {
  const table = new Map<string, PolicyNode[]>();
  for (const node of level) {
    for (const policy of node.expected) {
      const nodes = table.get(policy);
      if (nodes === undefined) table.set(policy, [node]);
      else nodes.push(node);
    }
  }
  return table;
}

/** The state of policy processing (RFC 5280 §6.1.2 (a), (d), (e), (f)). Certificates are added in order. */
export class PolicyGraph {
  /** Undefined: the graph is NULL, no policy is valid. */
  #levels: readonly Level[] | undefined = [[{ policy: anyPolicy, parents: [], expected: [anyPolicy] }]];
  #explicitPolicy: number;
  #policyMapping: number;
  #inhibitAny: number;
  readonly #acceptable: ReadonlySet<string>;

  /** For a path of `length` certificates without the anchor. */
  constructor(length: number, { acceptable, requireExplicit, inhibitMapping, inhibitAny }: PathPolicies) {
    const initial = (now: boolean | undefined): number => (now === true ? 0 : length + 1);
    this.#explicitPolicy = initial(requireExplicit);
    this.#policyMapping = initial(inhibitMapping);
    this.#inhibitAny = initial(inhibitAny);
    this.#acceptable = new Set(acceptable ?? [anyPolicy]);
  }

  /** Adds the next certificate, starting below the anchor. False when a valid policy is needed and none is left. */
  add(step: PolicyStep): boolean {
    this.#carryOver(step);
    if (this.#explicitPolicy === 0 && this.#levels === undefined) return false;
    if (step.isLast) this.#wrapUp(step.extensions);
    else this.#prepareNext(step);
    return true;
  }

  /** After the last certificate: the valid policies, or undefined when a policy is needed and none is acceptable. */
  finish(): readonly string[] | undefined {
    const policies = this.#acceptablePolicies();
    return this.#explicitPolicy === 0 && policies.length === 0 ? undefined : policies;
  }

  /** RFC 5280 §6.1.3 (d), (e). */
  #carryOver({ extensions: { policies }, selfIssued, isLast }: PolicyStep): void {
    const above = this.#levels?.at(-1);
    if (policies === undefined || above === undefined || this.#levels === undefined) {
      this.#levels = undefined;
      return;
    }
    const expecting = byExpectedPolicy(above);
    const anyAbove = above.find(({ policy }) => policy === anyPolicy);
    const level = new Map<string, PolicyNode>();
    for (const policy of policies) {
      if (policy === anyPolicy) continue;
      const parents = expecting.get(policy) ?? (anyAbove === undefined ? [] : [anyAbove]);
      if (parents.length > 0) level.set(policy, { policy, parents, expected: [policy] });
    }
    if (policies.has(anyPolicy) && (this.#inhibitAny > 0 || (!isLast && selfIssued))) {
      for (const [policy, parents] of expecting) {
        if (!level.has(policy)) level.set(policy, { policy, parents, expected: [policy] });
      }
    }
    this.#replaceLast(this.#levels, [...level.values()]);
  }

  /** Appends a level and removes nodes without children; an empty level makes the graph NULL. */
  #replaceLast(above: readonly Level[], level: Level): void {
    if (level.length === 0) {
      this.#levels = undefined;
      return;
    }
    const levels: Level[] = [level];
    for (const nodes of above.toReversed()) {
      const needed = new Set(levels[0]?.flatMap(({ parents }) => parents));
      levels.unshift(nodes.filter((node) => needed.has(node)));
    }
    this.#levels = levels;
  }

  /** RFC 5280 §6.1.4 (b), (h) to (j). */
  #prepareNext({ extensions, selfIssued }: PolicyStep): void {
    if (extensions.policyMappings.length > 0 && this.#levels !== undefined) {
      if (this.#policyMapping > 0) this.#map(this.#levels, extensions.policyMappings);
      else this.#forbidMapped(this.#levels, extensions.policyMappings);
    }
    if (!selfIssued) {
      this.#explicitPolicy = Math.max(0, this.#explicitPolicy - 1);
      this.#policyMapping = Math.max(0, this.#policyMapping - 1);
      this.#inhibitAny = Math.max(0, this.#inhibitAny - 1);
    }
    this.#explicitPolicy = Math.min(this.#explicitPolicy, extensions.requireExplicitPolicy ?? Infinity);
    this.#policyMapping = Math.min(this.#policyMapping, extensions.inhibitPolicyMapping ?? Infinity);
    this.#inhibitAny = Math.min(this.#inhibitAny, extensions.inhibitAnyPolicy ?? Infinity);
  }

  /** RFC 5280 §6.1.4 (b) (1). */
  #map(levels: readonly Level[], mappings: PathExtensions['policyMappings']): void {
    const subjects = new Map<string, string[]>();
    for (const [issuer, subject] of mappings) {
      const known = subjects.get(issuer);
      if (known === undefined) subjects.set(issuer, [subject]);
      else if (!known.includes(subject)) known.push(subject);
    }
    const level = [...(levels.at(-1) ?? [])];
    const nodes = new Map(level.map((node) => [node.policy, node]));
    const any = nodes.get(anyPolicy);
    for (const [issuer, expected] of subjects) {
      const node = nodes.get(issuer);
      if (node !== undefined) node.expected = expected;
      else if (any !== undefined) level.push({ policy: issuer, parents: any.parents, expected });
    }
    this.#levels = [...levels.slice(0, -1), level];
  }

  /** RFC 5280 §6.1.4 (b) (2). */
  #forbidMapped(levels: readonly Level[], mappings: PathExtensions['policyMappings']): void {
    const mapped = new Set(mappings.map(([issuer]) => issuer));
    const level = (levels.at(-1) ?? []).filter(({ policy }) => !mapped.has(policy));
    this.#replaceLast(levels.slice(0, -1), level);
  }

  /** RFC 5280 §6.1.5 (a), (b). */
  #wrapUp({ requireExplicitPolicy }: PathExtensions): void {
    this.#explicitPolicy = requireExplicitPolicy === 0 ? 0 : Math.max(0, this.#explicitPolicy - 1);
  }

  /** The user-constrained policies (RFC 5280 §6.1.5 (g), RFC 9618 §5.5). */
  #acceptablePolicies(): readonly string[] {
    if (this.#levels === undefined) return [];
    const valid = new Set<string>();
    // Policies in the anchor's terms: policies directly below the anchor's any-policy node.
    for (const { policy, parents } of this.#levels.flat()) {
      if (policy !== anyPolicy && parents.some((parent) => parent.policy === anyPolicy)) valid.add(policy);
    }
    const anyIsValid = this.#levels.at(-1)?.some(({ policy }) => policy === anyPolicy) === true;
    if (this.#acceptable.has(anyPolicy)) return anyIsValid ? [...valid, anyPolicy] : [...valid];
    return anyIsValid ? [...this.#acceptable] : [...valid].filter((policy) => this.#acceptable.has(policy));
  }
}
