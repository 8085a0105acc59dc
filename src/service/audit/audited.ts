import type { AuditEvent } from './audit.ts';

/** Writes an event down, after the change that it tells of. Does not reject: what is done is done. */
export type RecordAudit = (event: AuditEvent) => Promise<void>;

/**
 * For methods that change something: called with their arguments before they run, answers what tells of their result.
 * A method that rejects is not told of.
 */
export type AuditRules<Service> = {
  readonly [Method in keyof Service]?: Service[Method] extends (...input: infer Input) => Promise<infer Output>
    ? (...input: Input) => (output: Output) => AuditEvent
    : never;
};

type AnyMethod = (...input: readonly unknown[]) => unknown;
type AnyRule = (...input: readonly unknown[]) => (output: unknown) => AuditEvent;

/** A service whose changes are written down right after they are made. */
export function audited<Service extends object>(
  service: Service,
  rules: AuditRules<Service>,
  record: RecordAudit,
): Service {
  return new Proxy(service, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as AnyMethod;
      const rule = Object.hasOwn(rules, name) ? (Reflect.get(rules, name) as AnyRule) : undefined;
      return rule === undefined ? method : tellAfter(method, rule, record);
    },
  });
}

/** Runs a method, then writes down what its rule says. */
export function tellAfter(method: AnyMethod, rule: AnyRule, record: RecordAudit): AnyMethod {
  return async (...input) => {
    const told = rule(...input);
    const output = await method(...input);
    await record(told(output));
    return output;
  };
}
