import { z } from 'zod';
import type { Applications } from '../../service/applications/index.ts';
import { json, type ProblemCode } from '../openapi/problems.ts';
import { forAdministrators, oneExample, type Operation } from '../operation.ts';
import {
  applicationBody,
  applicationChange,
  changeApplication,
  readApplication,
  registerApplication,
  registrationBody,
  registrationRequest,
} from './applications.ts';

/** Services of the registry. */
export interface RegistryParts {
  readonly identity: { readonly applications: Applications };
}

const tag = 'Registry';
const access = forAdministrators('registry', 'registry');
/** Refusals of requests from other computers. */
const ofAdministrators: readonly ProblemCode[] = ['ADMINISTRATOR_REQUIRED', 'ADMINISTRATOR_SCOPE_MISSING'];
const ofOne: readonly ProblemCode[] = [...ofAdministrators, 'REQUEST_MALFORMED', 'APPLICATION_NOT_FOUND'];

/** Links from a registered application to its settings. */
const applicationLinks = Object.fromEntries(
  ['readApplication', 'changeApplication'].map((operationId) => [
    operationId,
    { operationId, parameters: { client_id: '$response.body#/client_id' } },
  ]),
);

const application = {
  client_id: 'portal',
  name: 'Portal',
  comments: 'Signs contracts',
  redirect_uris: ['https://portal.example/back'],
  email: 'help@portal.example',
  token_endpoint_auth_method: 'client_secret_basic',
  sign_raw: false,
  limits: { documents_per_day: 200, document_size: 10_485_760, hours: '08:00-18:00' },
  created_at: '2026-01-02T03:04:05.000Z',
  last_used_at: '2026-01-02T03:04:07.000Z',
};

const parameters = { path: z.object({ client_id: z.string().meta({ examples: ['portal'] }) }) };
const answers = { 200: { description: 'The application, without secrets.', content: json(applicationBody) } };

/** Endpoint 11 and its companions. */
export const registryOperations: readonly Operation<RegistryParts>[] = [
  {
    id: 'registerApplication',
    number: 11,
    method: 'post',
    paths: ['/v0/oauth/application'],
    guard: 'api',
    access,
    body: 'json',
    handle: ({ identity }) => registerApplication(identity.applications),
    describe: () => ({
      tag,
      summary: 'Register an application',
      description: 'On this computer open to its user. The answer is the only one with the secrets.',
      body: { required: true, content: json(registrationRequest) },
      examples: oneExample('An application with limits', {
        name: 'Portal',
        comments: 'Signs contracts',
        email: 'help@portal.example',
        redirect_uris: ['https://portal.example/back'],
        limits: { documents_per_day: 200, document_size: 10_485_760, hours: '08:00-18:00' },
      }),
      answers: {
        201: {
          description: 'The application with its secrets, which are told this once.',
          links: applicationLinks,
          content: json(registrationBody),
        },
      },
      example: {
        client_id: 'portal',
        client_secret: 'shown-once',
        webhook_secret: 'whsec_c2hvd24tb25jZQ==',
        status: 'success',
        message: 'Keep the secrets: they are shown this once.',
      },
      problems: [
        ...ofAdministrators,
        'REQUEST_MALFORMED',
        'BODY_NOT_UTF8',
        'APPLICATION_EXISTS',
        'MEDIA_TYPE_NOT_SUPPORTED',
        'REQUEST_INVALID',
      ],
    }),
  },
  {
    id: 'readApplication',
    method: 'get',
    paths: ['/applications/:clientId'],
    guard: 'api',
    access,
    body: 'none',
    handle: ({ identity }) => readApplication(identity.applications),
    describe: () => ({
      tag,
      summary: 'Read a registered application and its limits',
      description: 'For the user of this computer; from other computers for administrators with the scope registry.',
      parameters,
      answers,
      example: application,
      problems: ofOne,
    }),
  },
  {
    id: 'changeApplication',
    method: 'put',
    paths: ['/applications/:clientId'],
    guard: 'api',
    access,
    body: 'json',
    handle: ({ identity }) => changeApplication(identity.applications),
    describe: () => ({
      tag,
      summary: 'Change a registered application or its limits',
      description:
        'Members that are left out stay as they are; limits are replaced as a whole, and hold from the next request on. ' +
        'From other computers for administrators with the scope registry.',
      parameters,
      body: { required: true, content: json(applicationChange) },
      examples: {
        limits: {
          summary: 'Other limits',
          value: { limits: { documents_per_day: 500, document_size: 10_485_760, hours: '08:00-18:00' } },
        },
        unlimited: { summary: 'No limits any more', value: { limits: {} } },
        addresses: { summary: 'Another address', value: { redirect_uris: ['https://portal.example/return'] } },
      },
      answers,
      example: { ...application, limits: { documents_per_day: 500 } },
      problems: [...ofOne, 'BODY_NOT_UTF8', 'MEDIA_TYPE_NOT_SUPPORTED', 'REQUEST_TOO_LARGE', 'REQUEST_INVALID'],
    }),
  },
];
