import type { AuditEvent } from './audit.ts';

/** Writes an event after its change. Never rejects, because the change has happened already. */
export type RecordAudit = (event: AuditEvent) => Promise<void>;

/**
 * Rules for methods with changes: called with the arguments before the method runs, a rule answers a function for the
 * result's event. A rejected call has no event.
 */
export type AuditRules<Service> = {
  readonly [Method in keyof Service]?: Service[Method] extends (...input: infer Input) => Promise<infer Output>
    ? (...input: Input) => (output: Output) => AuditEvent
    : never;
};

type AnyMethod = (...input: readonly unknown[]) => unknown;
type AnyRule = (...input: readonly unknown[]) => (output: unknown) => AuditEvent;

/** A service with an audit event right after each change. */
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

/** Runs a method, then writes the event of its rule. */
export function tellAfter(method: AnyMethod, rule: AnyRule, record: RecordAudit): AnyMethod {
  return async (...input) => {
    const told = rule(...input);
    const output = await method(...input);
    await record(told(output));
    return output;
  };
}
