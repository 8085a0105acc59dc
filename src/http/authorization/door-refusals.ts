import { json, problemBody, problems } from '../openapi/problems.ts';
import type { Description } from '../operation.ts';
import { errorBody } from './oauth-schemas.ts';

const content = { ...json(errorBody), 'application/problem+json': { schema: problemBody } };

/** The refusals of an interface of another protocol: its own by their status, and those before the handler. */
export function doorRefusals(own: Readonly<Record<number, string>>): NonNullable<Description['refusals']> {
  const before = problems();
  const told = (status: string): string => {
    const earlier = (before as Readonly<Record<string, { readonly description?: string } | undefined>>)[status];
    return [own[Number(status)], earlier?.description].filter((part) => part !== undefined).join(' Or: ');
  };
  const statuses = [...new Set([...Object.keys(own), '400', '401', '403', '500', '503', ...Object.keys(before)])];
  return Object.fromEntries(statuses.map((status) => [status, { description: told(status), content }]));
}
