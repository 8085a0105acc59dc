/** The example request in the description of an operation, with values good at a single instance. */
import type { Description } from '../../src/http/operation.ts';
import type { Route } from '../../src/http/routes.ts';

/** Values of a single instance. */
export interface ExampleValues {
  /** Of path parameters, by their names in the path, and of members of bodies, by their names. */
  readonly byName: Readonly<Record<string, unknown>>;
  readonly application: { readonly id: string; readonly secret: string };
  readonly accessToken: string;
}

export interface ExampleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The first documented request of an operation; without credentials where the caller may leave them out. */
export function exampleRequest(route: Route, values: ExampleValues): ExampleRequest {
  const [described] = [route.describe?.() ?? []].flat();
  const path = route.paths[0].replaceAll(/\{?[:*](\w+)\}?/g, (_match, name: string) =>
    encodeURIComponent(textOf(values.byName[name]) ?? textOf(exampleOf(described, name)) ?? 'x'),
  );
  const [example] = Object.values(described?.examples ?? {});
  const content = example === undefined ? undefined : withGoodValues(example.value, values.byName);
  const credentials = credentialsOf(described, values);
  if (content === undefined) return { method: route.method.toUpperCase(), path, headers: credentials, body: '' };
  const isForm = Object.keys(contentsOf(described)).includes('application/x-www-form-urlencoded');
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    method: route.method.toUpperCase(),
    path,
    headers: { ...credentials, 'Content-Type': type },
    body: isForm ? new URLSearchParams(content as Record<string, string>).toString() : JSON.stringify(content),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function contentsOf(described: Description | undefined): object {
  const body = described?.body;
  return body !== undefined && 'content' in body ? body.content : {};
}

/** The documented example of a path parameter; the name there is in wire form. */
function exampleOf(described: Description | undefined, name: string): unknown {
  const wire = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const path = described?.parameters?.path as { readonly shape?: Record<string, { meta(): unknown }> } | undefined;
  const meta = path?.shape?.[wire]?.meta() as { readonly examples?: readonly unknown[] } | undefined;
  return meta?.examples?.[0];
}

function credentialsOf(
  described: Description | undefined,
  { application, accessToken }: ExampleValues,
): Readonly<Record<string, string>> {
  const accepted = described?.credentials ?? [];
  const schemes = new Set(accepted.flatMap((one) => Object.keys(one)));
  const pair = Buffer.from(`${application.id}:${application.secret}`).toString('base64');
  if (schemes.has('applicationSecret')) return { Authorization: `Sinete ${pair}` };
  if (schemes.has('accessToken')) return { Authorization: `Bearer ${accessToken}` };
  return {};
}

/** The example with good values in the place of values belonging to no instance. */
function withGoodValues(example: unknown, byName: ExampleValues['byName']): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example;
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, byName[name] ?? value]));
}
