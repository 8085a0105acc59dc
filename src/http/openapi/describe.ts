import { createDocument, type ZodOpenApiObject, type ZodOpenApiOperationObject } from 'zod-openapi';
import type { Description, Operation } from '../operation.ts';
import { finishOpenApi, type Described } from './finish.ts';
import { problems } from './problems.ts';

type OpenApiDocument = ReturnType<typeof createDocument>;

/** The parts of an OpenAPI document besides its operations. */
export type DocumentFacts = Pick<ZodOpenApiObject, 'info' | 'servers' | 'tags'>;

/**
 * Builds an OpenAPI 3.1 document of those operations that describe themselves, in their order, from the same schemas
 * that check requests and type the answers.
 */
export function describeOperations(operations: readonly Operation[], facts: DocumentFacts): OpenApiDocument {
  const described = operations.flatMap((operation) => descriptionsOf(operation));
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const { operation, description } of described) {
    const path = description.form?.path ?? documentedPath(operation.paths[0]);
    paths[path] = { ...paths[path], [operation.method]: openApiOperation(operation, description) };
  }
  const document = createDocument({ openapi: '3.1.0', ...facts, paths });
  return finishOpenApi(document, new Map(described.map((one) => [idOf(one), one])));
}

function descriptionsOf(operation: Operation): readonly Described[] {
  const told = operation.describe?.() ?? [];
  return [told].flat().map((description) => ({ operation, description }));
}

const idOf = ({ operation, description }: Described): string => description.form?.id ?? operation.id;

/** A path in the syntax of OpenAPI, with parameters in wire names: `/applications/{client_id}`. */
export function documentedPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, (_match, name: string) => `{${name.replaceAll(/[A-Z]/g, snake)}}`);
}

const snake = (letter: string): string => `_${letter.toLowerCase()}`;

function openApiOperation({ id }: Operation, description: Description): ZodOpenApiOperationObject {
  const { form, tag, summary, description: text, parameters, body, answers, callbacks } = description;
  return {
    operationId: form?.id ?? id,
    tags: [tag],
    summary,
    description: text,
    ...(parameters === undefined ? {} : { requestParams: parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    ...(callbacks === undefined ? {} : { callbacks }),
    responses: { ...(description.refusals ?? problems(...(description.problems ?? []))), ...answers },
  };
}
