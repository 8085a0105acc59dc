import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { assistantCodes, type AssistantCode } from '../../service/errors/index.ts';
import {
  applicationBody,
  applicationSecretBody,
  assistantErrorBody,
  certificatesBody,
  noBody,
  selectedUserBody,
  userBody,
  usersBody,
} from './bodies.ts';
import { refusalsOnTheWire } from '../openapi-problems.ts';
import { credentials, registration, renaming, selection } from './handlers.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

const tags = ['Local helper'];
const json = (body: z.ZodType) => ({ 'application/json': { schema: body } });

/** Endpoints 12 to 20 for the OpenAPI document. */
export function assistantPaths(): ZodOpenApiPathsObject {
  return {
    '/user': {
      post: operation('addUser', 'Add a user by their one-time password', {
        form: credentials,
        success: { status: 201, body: userBody, code: 'cacheCreated' },
        failures: { 400: 'invalidCredentials', 422: 'invalidFields', 503: 'serviceUnavailable' },
      }),
      get: operation('listUsers', 'List the users of this computer', {
        success: { status: 200, body: usersBody, code: 'userListed' },
      }),
    },
    '/user/{id}': {
      delete: {
        ...operation('removeUser', 'Remove a user, with their tokens', {
          success: { status: 200, body: noBody, code: 'userRemoved' },
          failures: { 404: 'userNotFound', 422: 'invalidFields' },
        }),
        requestParams: { path: z.object({ id: z.int().meta({ minimum: 1, maximum: 999_999_999_999_999 }) }) },
      },
    },
    '/selected-user': {
      get: operation('readSelectedUser', 'Tell the selected user', {
        success: { status: 200, body: selectedUserBody, code: 'selectedUserDetail' },
        failures: { 404: 'noSelectedUser' },
      }),
      put: operation('changeSelectedUser', 'Select another user', {
        form: selection,
        success: { status: 200, body: selectedUserBody, code: 'selectedUserChanged' },
        failures: { 404: 'userNotFound', 422: 'invalidFields' },
      }),
    },
    '/selected-user/certificates': {
      get: operation('listSelectedUserCertificates', "List the selected user's certificates", {
        success: { status: 200, body: certificatesBody, code: 'certificatesListed' },
        failures: { 404: 'noSelectedUser' },
      }),
    },
    '/application': applicationPath(),
  };
}

function applicationPath(): ZodOpenApiPathsObject[string] {
  return {
    post: operation('registerComputer', 'Register this computer as an application', {
      form: registration,
      success: { status: 201, body: applicationSecretBody, code: 'applicationCreated' },
      failures: { 409: 'applicationExists', 422: 'invalidFields', 503: 'serviceUnavailable' },
    }),
    get: operation('readComputer', "Tell this computer's credentials", {
      success: { status: 200, body: applicationSecretBody, code: 'applicationListed' },
      failures: { 404: 'applicationNotFound' },
    }),
    put: operation('changeComputer', 'Rename this computer', {
      form: renaming,
      success: { status: 200, body: applicationBody, code: 'applicationChanged' },
      failures: { 404: 'applicationNotFound', 422: 'invalidFields' },
    }),
  };
}

interface Parts {
  readonly form?: z.ZodType;
  readonly success: { readonly status: 200 | 201; readonly body: z.ZodType; readonly code: AssistantCode };
  readonly failures?: Readonly<Partial<Record<400 | 404 | 409 | 422 | 503, AssistantCode>>>;
}

/** Failures common to all operations of the assistant. */
const usualFailures = {
  400: 'requestMalformed',
  403: 'notAllowed',
  421: 'notAllowed',
  429: 'tooManyAttempts',
  500: 'internalError',
} as const;

function operation(operationId: string, summary: string, parts: Parts): ZodOpenApiOperationObject {
  const { form, success, failures } = parts;
  const formFailures = form === undefined ? {} : ({ 413: 'requestMalformed', 415: 'requestMalformed' } as const);
  const answers = Object.entries({ ...usualFailures, ...formFailures, ...failures });
  return {
    operationId,
    tags,
    summary,
    ...dropUndefined({
      requestBody:
        form === undefined
          ? undefined
          : {
              required: true,
              content: { 'application/x-www-form-urlencoded': { schema: form }, 'application/json': { schema: form } },
            },
    }),
    responses: {
      ...refusalsOnTheWire(),
      [success.status]: { description: describeCode(success.code), content: json(success.body) },
      ...Object.fromEntries(
        answers.map(([status, code]) => [
          status,
          { description: describeCode(code), content: json(assistantErrorBody) },
        ]),
      ),
    },
  };
}

function describeCode(name: AssistantCode): string {
  const { code, status, message } = assistantCodes[name];
  return `${code} \`${status}\`: ${message}.`;
}
