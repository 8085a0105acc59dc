import type { Request, Response } from 'express';
import { z } from 'zod';
import { assistantCodes, ServiceError, type AssistantCode } from '../../service/errors/index.ts';
import type { Assistant, CachedUser } from '../../service/assistant/index.ts';
import { certificateExample } from '../authorization/certificate-info.ts';
import { attemptOriginOf } from '../guard-request.ts';
import { json, refusalsOnTheWire } from '../openapi/problems.ts';
import { forAdministrators, oneExample, type Description, type Operation } from '../operation.ts';
import { fieldsOf, invalidFields, parseFields } from '../read-body.ts';
import {
  applicationBody,
  applicationSecretBody,
  assistantErrorBody,
  certificateBody,
  certificatesBody,
  detailOf,
  noBody,
  selectedUserBody,
  selectedUserFields,
  userBody,
  userEntry,
  usersBody,
} from './bodies.ts';

/** The service of the assistant. */
export interface AssistantParts {
  readonly assistant: Assistant;
}

const users = forAdministrators('assistant', 'users');
const registry = forAdministrators('assistant', 'registry');

/** Form fields are text, so JSON numbers are accepted as text too; the OpenAPI document names the plain type. */
const text = z.union([z.string(), z.number().transform(String)]).meta({ override: { type: 'string' } });
/** Shown in the OpenAPI document; the service checks these bounds. */
const username = text.meta({
  pattern: '^[0-9A-Za-z./-]{11,18}$',
  description: 'CPF or CNPJ, with or without punctuation',
});
const clientName = text.meta({ minLength: 1, maxLength: 100 });
const credentials = z
  .object({ username, password: text.meta({ minLength: 1, description: 'One-time password or recovery code' }) })
  .meta({ id: 'UserCredentials' });
const selection = z.object({ username }).meta({ id: 'UserSelection' });
const registration = z
  .object({
    client_name: clientName,
    force: z
      .preprocess(
        (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
        z.union([z.boolean(), z.enum(['true', 'false', '1', '0', 'on', ''], { error: 'Use true or false.' })]),
      )
      .optional()
      .meta({
        override: ({ jsonSchema }) => {
          delete jsonSchema.anyOf;
          jsonSchema.type = 'boolean';
        },
      }),
  })
  .meta({ id: 'ComputerRegistration' });
const renaming = z.object({ client_name: clientName }).meta({ id: 'ComputerRenaming' });

const detail = (code: number, status: string, message: string) => ({ detail: { code, status, message } });
const person = {
  name: 'MARIA DA SILVA',
  username: '52998224725',
  date_last_update: '2026-01-02 03:04:05',
  photo: null,
};
const computer = { client_name: 'Front desk', client_id: 'front-desk', client_secret: 'for-the-owner-only' };

/**
 * Endpoints 12 to 20. Web sites need a granted scope for routes that show or create the secret of this computer; the
 * window never asks its user to grant that scope.
 */
export const assistantOperations: readonly Operation<AssistantParts>[] = [
  {
    id: 'addUser',
    number: 12,
    method: 'post',
    paths: ['/user'],
    guard: 'user:write',
    access: users,
    body: 'form',
    handle:
      ({ assistant }) =>
      async (request, response) => {
        const { username, password } = parseFields(credentials, fieldsOf(request));
        const user = await assistant.addUser(username, password, attemptOriginOf(response));
        send(response, 201, 'cacheCreated', { user: userEntry(user) });
      },
    describe: () =>
      describe({
        summary: 'Add a user by their one-time password',
        description: 'The one-time password proves who the person is. The first user becomes the selected one.',
        form: credentials,
        examples: oneExample('CPF or CNPJ, and one-time password', { username: '52998224725', password: '123456' }),
        success: { status: 201, body: userBody, code: 'cacheCreated' },
        failures: { 400: 'invalidCredentials', 422: 'invalidFields', 503: 'serviceUnavailable' },
        example: { user: { id: 1, ...person }, ...detail(1128, 'CACHE_CREATED', 'Cache created') },
      }),
  },
  {
    id: 'listUsers',
    number: 13,
    method: 'get',
    paths: ['/user'],
    guard: 'user:read',
    access: users,
    body: 'none',
    handle:
      ({ assistant }) =>
      async (_request, response) => {
        send(response, 200, 'userListed', { users: (await assistant.users()).map(userEntry) });
      },
    describe: () =>
      describe({
        summary: 'List the users of this computer',
        description: 'The people who were added on this computer.',
        success: { status: 200, body: usersBody, code: 'userListed' },
        example: { users: [{ id: 1, ...person }], ...detail(1093, 'USER_LISTED', 'Users listed') },
      }),
  },
  {
    id: 'removeUser',
    number: 14,
    method: 'delete',
    paths: ['/user/:id'],
    guard: 'user:write',
    access: users,
    body: 'none',
    handle:
      ({ assistant }) =>
      async (request, response) => {
        await assistant.removeUser(readId(request));
        send(response, 200, 'userRemoved', {});
      },
    describe: () =>
      describe({
        summary: 'Remove a user, with their tokens',
        description: 'Removing the selected user leaves none selected.',
        parameters: {
          path: z.object({ id: z.int().meta({ minimum: 1, maximum: 999_999_999_999_999, examples: [1] }) }),
        },
        success: { status: 200, body: noBody, code: 'userRemoved' },
        failures: { 404: 'userNotFound', 422: 'invalidFields' },
        example: detail(1129, 'USER_REMOVED', 'User removed'),
      }),
  },
  {
    id: 'readSelectedUser',
    number: 15,
    method: 'get',
    paths: ['/selected-user'],
    guard: 'user:read',
    access: users,
    body: 'none',
    handle:
      ({ assistant }) =>
      async (_request, response) => {
        const user = await assistant.selectedUser();
        if (user === undefined) sendNoneSelected(response);
        else send(response, 200, 'selectedUserDetail', selectedUserFields(user));
      },
    describe: () =>
      describe({
        summary: 'Tell the selected user',
        description: 'The person for whom applications sign.',
        success: { status: 200, body: selectedUserBody, code: 'selectedUserDetail' },
        failures: { 404: 'noSelectedUser' },
        example: { ...person, ...detail(1124, 'SELECTED_USER_DETAIL', 'Selected user detail') },
      }),
  },
  {
    id: 'changeSelectedUser',
    number: 16,
    method: 'put',
    paths: ['/selected-user'],
    guard: 'user:write',
    access: users,
    body: 'form',
    handle:
      ({ assistant }) =>
      async (request, response) => {
        const { username } = parseFields(selection, fieldsOf(request));
        send(response, 200, 'selectedUserChanged', selectedUserFields(await assistant.selectUser(username)));
      },
    describe: () =>
      describe({
        summary: 'Select another user',
        description: 'Selects one of the users of this computer.',
        form: selection,
        examples: oneExample('By CPF or CNPJ', { username: '52998224725' }),
        success: { status: 200, body: selectedUserBody, code: 'selectedUserChanged' },
        failures: { 404: 'userNotFound', 422: 'invalidFields' },
        example: { ...person, ...detail(1126, 'SELECTED_USER_CHANGED', 'Selected user changed') },
      }),
  },
  {
    id: 'listSelectedUserCertificates',
    number: 17,
    method: 'get',
    paths: ['/selected-user/certificates'],
    guard: 'certificates:read',
    access: users,
    body: 'none',
    handle:
      ({ assistant }) =>
      async (_request, response) => {
        const user = await assistant.selectedUser();
        if (user === undefined) sendNoneSelected(response);
        else await sendCertificates(assistant, user, response);
      },
    describe: () =>
      describe({
        summary: "List the selected user's certificates",
        description:
          'Certificates of the person: on tokens, in files and in browsers. `source` names the kind of place (`token`, `file`, `browser`; more may come), `place` the place in words for people.',
        success: { status: 200, body: certificatesBody, code: 'certificatesListed' },
        failures: { 404: 'noSelectedUser' },
        example: {
          certificates: [
            {
              ...certificateExample,
              alias: 'MARIA DA SILVA',
              source: 'token',
              place: 'Maria',
              token: { module: 'opensc-pkcs11', label: 'Maria', serial_number: '0a1b2c3d' },
              present: true,
              pem: '-----BEGIN CERTIFICATE-----\n…',
            },
          ],
          ...detail(1127, 'CERTIFICATES_LISTED', 'Certificates listed'),
        },
      }),
  },
  {
    id: 'registerComputer',
    number: 18,
    method: 'post',
    paths: ['/application'],
    guard: 'application:read',
    access: registry,
    body: 'form',
    handle:
      ({ assistant }) =>
      async (request, response) => {
        const { client_name: name, force } = parseFields(registration, fieldsOf(request));
        const application = await assistant.registerComputer(name, isTrue(force));
        const { clientName, clientId, clientSecret } = application;
        const body = { client_name: clientName, client_id: clientId, client_secret: clientSecret };
        send(response, 201, 'applicationCreated', body);
      },
    describe: () =>
      describe({
        summary: 'Register this computer as an application',
        description: '409 when the computer is registered, unless force is given.',
        form: registration,
        examples: oneExample('The name that people see', { client_name: 'Reception desk' }),
        success: { status: 201, body: applicationSecretBody, code: 'applicationCreated' },
        failures: { 409: 'applicationExists', 422: 'invalidFields', 503: 'serviceUnavailable' },
        example: { ...computer, ...detail(1018, 'APPLICATION_CREATED', 'Application created successfully') },
      }),
  },
  {
    id: 'readComputer',
    number: 19,
    method: 'get',
    paths: ['/application'],
    guard: 'application:read',
    access: registry,
    body: 'none',
    handle:
      ({ assistant }) =>
      async (_request, response) => {
        const application = await assistant.computer();
        if (application === undefined) {
          throw new ServiceError('APPLICATION_NOT_FOUND', 'This computer is not registered: POST /application first.');
        }
        const { clientName, clientId, clientSecret } = application;
        const body = { client_name: clientName, client_id: clientId, client_secret: clientSecret };
        send(response, 200, 'applicationListed', body);
      },
    describe: () =>
      describe({
        summary: "Tell this computer's credentials",
        description: 'With the secret, for programs of the owner only.',
        success: { status: 200, body: applicationSecretBody, code: 'applicationListed' },
        failures: { 404: 'applicationNotFound' },
        example: { ...computer, ...detail(1021, 'APPLICATION_LISTED', 'Application listed') },
      }),
  },
  {
    id: 'changeComputer',
    number: 20,
    method: 'put',
    paths: ['/application'],
    guard: 'application:read',
    access: registry,
    body: 'form',
    handle:
      ({ assistant }) =>
      async (request, response) => {
        const { client_name: name } = parseFields(renaming, fieldsOf(request));
        const { clientName, clientId } = await assistant.renameComputer(name);
        send(response, 200, 'applicationChanged', { client_name: clientName, client_id: clientId });
      },
    describe: () =>
      describe({
        summary: 'Rename this computer',
        description: 'Changes the name that people see.',
        form: renaming,
        examples: oneExample('Another name', { client_name: 'Front desk' }),
        success: { status: 200, body: applicationBody, code: 'applicationChanged' },
        failures: { 404: 'applicationNotFound', 422: 'invalidFields' },
        example: {
          client_name: computer.client_name,
          client_id: computer.client_id,
          ...detail(1022, 'APPLICATION_CHANGED', 'Application changed'),
        },
      }),
  },
];

/** The parts in which the descriptions of the assistant differ. */
interface Told extends Pick<Description, 'summary' | 'description' | 'parameters' | 'examples' | 'example'> {
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

/** The description of an operation whose refusals have the assistant's own form. */
function describe({ form, success, failures, ...told }: Told): Description {
  const formFailures = form === undefined ? {} : ({ 413: 'requestMalformed', 415: 'requestMalformed' } as const);
  const refused: Readonly<Record<string, AssistantCode | undefined>> = {
    ...usualFailures,
    ...formFailures,
    ...failures,
  };
  const refusal = (code: AssistantCode) => ({ description: describeCode(code), content: json(assistantErrorBody) });
  return {
    ...told,
    tag: 'Local helper',
    body: form === undefined ? undefined : formOf(form),
    answers: { [success.status]: { description: describeCode(success.code), content: json(success.body) } },
    refusals: {
      ...refusalsOnTheWire(),
      ...Object.fromEntries(
        Object.entries(refused).flatMap(([status, code]) =>
          code === undefined ? [] : [[status, refusal(code)] as const],
        ),
      ),
    },
  };
}

/** The documented body of an operation that takes a form or JSON: generators make one type of one media type. */
function formOf(schema: z.ZodType): Description['body'] {
  const description = 'JSON with the same members is accepted too.';
  return { required: true, description, content: { 'application/x-www-form-urlencoded': { schema } } };
}

function describeCode(name: AssistantCode): string {
  const { code, status, message } = assistantCodes[name];
  return `${code} \`${status}\`: ${message}.`;
}

async function sendCertificates(assistant: Assistant, user: CachedUser, response: Response): Promise<void> {
  const certificates = (await assistant.certificatesOf(user)).map(certificateBody);
  send(response, 200, 'certificatesListed', { certificates });
}

function send(response: Response, status: number, code: AssistantCode, body: Readonly<Record<string, unknown>>): void {
  response.status(status).json({ ...body, detail: detailOf(code) });
}

function sendNoneSelected(response: Response): void {
  const message = `${assistantCodes.noSelectedUser.message}: choose one with PUT /selected-user.`;
  response.status(404).json({ detail: { ...detailOf('noSelectedUser'), message } });
}

function readId(request: Request): number {
  const { id } = request.params;
  if (typeof id === 'string' && /^\d{1,15}$/.test(id)) return Number(id);
  throw invalidFields([{ field: 'id', code: 'INVALID_TYPE', detail: 'Give the id of a user, as GET /user lists it.' }]);
}

function isTrue(force: unknown): boolean {
  return force === true || force === 'true' || force === '1' || force === 'on';
}

const firstSegments: ReadonlySet<string> = new Set(assistantOperations.map(({ paths: [path] }) => segmentOf(path)));

/** True for an address of the assistant, with or without a route: the assistant's errors have their own form. */
export function isAssistantPath(path: string): boolean {
  return firstSegments.has(segmentOf(path));
}

/** Express matches paths without regard to case. */
function segmentOf(path: string): string {
  return path.split('/', 2)[1]?.toLowerCase() ?? '';
}
