import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { httpProblems, serviceProblems, signingProblems, type ProblemKind } from '../problems/error-statuses.ts';

/** The content of an answer in JSON. */
export const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

/** The closed list of codes. */
const problemCodes = [
  ...new Set([...Object.keys(httpProblems), ...Object.keys(serviceProblems), ...Object.keys(signingProblems)]),
];

/** Every refusal of this server (RFC 9457). */
export const problemBody = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.enum(problemCodes),
    instance: z.string(),
    errors: z.array(z.object({ field: z.string(), code: z.string(), detail: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });

/** A code of this server's refusals. */
export type ProblemCode = keyof typeof httpProblems | keyof typeof serviceProblems;

/** Refusals before any handler runs; their form is the same at every address. */
const wireProblems = ['EXPECTATION_FAILED', 'HEADERS_TOO_LARGE', 'REQUEST_TIMEOUT'] as const;

/** The guard's possible refusals at these addresses. */
const guardProblems: readonly ProblemCode[] = [
  'ORIGIN_NOT_GRANTED',
  'ORIGIN_NOT_SECURE',
  'CONSENT_REFUSED',
  'CONSENT_TIMEOUT',
  'CONSENT_UNAVAILABLE',
  'TOO_MANY_HELD_REQUESTS',
  'ORIGIN_OPAQUE',
  'BLIND_REQUEST_REFUSED',
  'NAVIGATION_REFUSED',
  'CROSS_SITE_REFUSED',
  'BRIDGE_KEY_UNKNOWN',
  'BRIDGE_BOUND',
  'BRIDGE_REFUSED',
  'USER_NOT_ALLOWED',
  'PROOF_REQUIRED',
  'HOST_NOT_OURS',
  'INTERNAL',
  'STORAGE_UNAVAILABLE',
];

/** A response for each status, with a list of its codes. */
export function problems(...codes: readonly ProblemCode[]): ZodOpenApiOperationObject['responses'] {
  return responsesOf(new Set([...codes, ...guardProblems, ...wireProblems]));
}

/** The responses of addresses whose other refusals have their own form. */
export function refusalsOnTheWire(): ZodOpenApiOperationObject['responses'] {
  return responsesOf(new Set(wireProblems));
}

function responsesOf(codes: ReadonlySet<ProblemCode>): ZodOpenApiOperationObject['responses'] {
  const kinds: Record<string, ProblemKind> = { ...httpProblems, ...serviceProblems };
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const { status, title } = kinds[code] ?? serviceProblems.INTERNAL;
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\`: ${title}.`]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, lines]) => [
      String(status),
      { description: lines.join(' '), content: { 'application/problem+json': { schema: problemBody } } },
    ]),
  );
}
