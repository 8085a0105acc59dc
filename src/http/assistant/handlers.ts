import type { Request, Response, RequestHandler } from 'express';
import { z } from 'zod';
import { assistantCodes, type AssistantCode, ServiceError } from '../../service/errors/index.ts';
import { problemOf, type Problem } from '../send-error.ts';
import type { Assistant, CachedUser } from '../../service/assistant/index.ts';
import { attemptOriginOf } from '../guard-request.ts';
import { fieldsOf, invalidFields, parseFields } from '../read-body.ts';
import { certificateBody, detailOf, selectedUserFields, userEntry } from './bodies.ts';
import type { AssistantOperation } from './routes.ts';

/** The assistant's own codes for the problems that have one. */
const codes: Readonly<Record<string, AssistantCode>> = {
  REQUEST_INVALID: 'invalidFields',
  INVALID_CREDENTIALS: 'invalidCredentials',
  USER_NOT_FOUND: 'userNotFound',
  APPLICATION_EXISTS: 'applicationExists',
  APPLICATION_NOT_FOUND: 'applicationNotFound',
  TOO_MANY_ATTEMPTS: 'tooManyAttempts',
};

/** Answers an error of endpoints 12 to 20: always a `detail` with code, status and message. */
export function sendDetail(error: unknown, _request: Request, response: Response): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const problem = problemOf(error);
  const name = codeOf(problem);
  const { code, status, message } = assistantCodes[name];
  response.set(problem.headers);
  response.status(name === 'invalidCredentials' ? 400 : problem.kind.status);
  response.json({
    detail: { code, status, message: name === 'invalidCredentials' ? message : problem.detail },
    ...(problem.problems.length === 0 ? {} : { errors: problem.problems }),
  });
}

function codeOf({ code, kind: { status } }: Problem): AssistantCode {
  const known = codes[code];
  if (known !== undefined) return known;
  if (status === 401 || status === 403 || status === 421) return 'notAllowed';
  if (status === 429) return 'tooManyAttempts';
  if (status === 503) return 'serviceUnavailable';
  return status === 500 ? 'internalError' : 'requestMalformed';
}

/** Form fields are text, so JSON numbers and booleans are accepted as text too. */
const text = z.union([z.string(), z.number().transform(String)]);
/** Shown in the OpenAPI document; the service checks these bounds. */
const username = text.meta({
  pattern: '^[0-9A-Za-z./-]{11,18}$',
  description: 'CPF or CNPJ, with or without punctuation',
});
const clientName = text.meta({ minLength: 1, maxLength: 100 });
export const credentials = z
  .object({ username, password: text.meta({ minLength: 1, description: 'One-time password or recovery code' }) })
  .meta({ id: 'UserCredentials' });
export const selection = z.object({ username }).meta({ id: 'UserSelection' });
export const registration = z
  .object({
    client_name: clientName,
    force: z
      .preprocess(
        (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
        z.union([z.boolean(), z.enum(['true', 'false', '1', '0', 'on', ''], { error: 'Use true or false.' })]),
      )
      .optional(),
  })
  .meta({ id: 'ComputerRegistration' });
export const renaming = z.object({ client_name: clientName }).meta({ id: 'ComputerRenaming' });

/** The handlers of endpoints 12 to 20. */
export function assistantHandlers(assistant: Assistant): Record<AssistantOperation, RequestHandler> {
  return {
    addUser: async (request, response) => {
      const { username, password } = parseFields(credentials, fieldsOf(request));
      const user = await assistant.addUser(username, password, attemptOriginOf(response));
      send(response, 201, 'cacheCreated', { user: userEntry(user) });
    },
    listUsers: async (_request, response) => {
      send(response, 200, 'userListed', { users: (await assistant.users()).map(userEntry) });
    },
    removeUser: async (request, response) => {
      await assistant.removeUser(readId(request));
      send(response, 200, 'userRemoved', {});
    },
    readSelectedUser: async (_request, response) => {
      const user = await assistant.selectedUser();
      if (user === undefined) sendNoneSelected(response);
      else send(response, 200, 'selectedUserDetail', selectedUserFields(user));
    },
    changeSelectedUser: async (request, response) => {
      const { username } = parseFields(selection, fieldsOf(request));
      send(response, 200, 'selectedUserChanged', selectedUserFields(await assistant.selectUser(username)));
    },
    listSelectedUserCertificates: async (_request, response) => {
      const user = await assistant.selectedUser();
      if (user === undefined) sendNoneSelected(response);
      else await sendCertificates(assistant, user, response);
    },
    registerComputer: async (request, response) => {
      const { client_name: name, force } = parseFields(registration, fieldsOf(request));
      const application = await assistant.registerComputer(name, isTrue(force));
      const { clientName, clientId, clientSecret } = application;
      const body = { client_name: clientName, client_id: clientId, client_secret: clientSecret };
      send(response, 201, 'applicationCreated', body);
    },
    readComputer: async (_request, response) => {
      const application = await assistant.computer();
      if (application === undefined) {
        throw new ServiceError('APPLICATION_NOT_FOUND', 'This computer is not registered: POST /application first.');
      }
      const { clientName, clientId, clientSecret } = application;
      const body = { client_name: clientName, client_id: clientId, client_secret: clientSecret };
      send(response, 200, 'applicationListed', body);
    },
    changeComputer: async (request, response) => {
      const { client_name: name } = parseFields(renaming, fieldsOf(request));
      const { clientName, clientId } = await assistant.renameComputer(name);
      send(response, 200, 'applicationChanged', { client_name: clientName, client_id: clientId });
    },
  };
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
