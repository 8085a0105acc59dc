import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Application, ApplicationLimits, Applications } from '../../service/applications/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import { HttpError } from '../http-error.ts';
import { invalidFields, isObject, parseFields } from '../read-body.ts';

const text = z.string();

/** The highest limit: a round number that JSON readers in every language represent exactly. */
const MOST = 10 ** 15;

/** Limits of an application: in a registration, in a change, and in the answers. */
export const applicationLimits = z
  .looseObject({
    documents_per_day: z.number().int().positive().max(MOST).optional().meta({
      description: 'Documents from midnight to midnight, local time of the instance',
    }),
    document_size: z.number().int().positive().max(MOST).optional().meta({ description: 'Bytes of a document' }),
    hours: text.optional().meta({
      description: 'When the application may ask for signatures: two times of the day, local time of the instance',
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$',
      examples: ['08:00-18:00'],
    }),
  })
  .meta({ id: 'ApplicationLimits' });

/** Fields that describe an application. The service checks their lengths and shapes. */
const ownWords = {
  name: text.max(100).meta({
    minLength: 1,
    description: 'Name or description of the application; shown to the people who authorize it',
  }),
  comments: text.max(2000).meta({ description: 'General usage notes' }),
  redirect_uris: z.array(text).meta({
    maxItems: 20,
    description: 'Where people may be sent back: https, or http on loopback (where any port fits), without a fragment',
  }),
  email: text
    .min(1, 'Give an e-mail address, as in name@example.org.')
    .max(254)
    .meta({ format: 'email', description: 'Support contact' }),
};

/** Body of endpoint 11. */
export const registrationRequest = z
  .object({
    ...ownWords,
    client_id: text.nullable().optional().meta({ description: 'Honoured while it is free; otherwise one is made' }),
    client_secret: text.nullable().optional().meta({ description: 'Honoured; otherwise one is made' }),
    limits: applicationLimits.optional().meta({
      description: 'What the application may ask for at most; the owner of the instance may change it',
    }),
    token_endpoint_auth_method: z.enum(['client_secret_basic', 'client_secret_post', 'none']).optional().meta({
      description:
        'RFC 7591 §2. "none" registers a public application: it gets no secret, and has to use PKCE with S256.',
    }),
  })
  .meta({ id: 'ApplicationRegistration' });

/** Body of a change of an application. */
export const applicationChange = z
  .object({
    ...ownWords,
    limits: applicationLimits.meta({ description: 'All limits; a limit that is left out ends' }),
    sign_raw: z
      .boolean()
      .meta({ description: 'Whether it may ask for raw signatures of hashes, which can be anything' }),
  })
  .partial()
  .meta({ id: 'ApplicationChange' });

/** An application as the registry has it, without secrets. */
export const applicationBody = z
  .object({
    client_id: text,
    name: text,
    comments: text,
    redirect_uris: z.array(text),
    email: text.meta({ description: 'Empty for this computer as an application' }),
    token_endpoint_auth_method: z.enum(['client_secret_basic', 'none']).meta({
      description: 'RFC 7591 §2. "none": a public application. Others send their secret by client_secret_post too',
    }),
    sign_raw: z.boolean().meta({ description: 'Whether it may ask for raw signatures of hashes' }),
    limits: applicationLimits.meta({
      description: 'Limits of the registry. Those of the configuration hold beside them and are not listed here',
    }),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable().meta({ description: 'To the minute; null before the first use' }),
  })
  .meta({ id: 'Application' });

/** Answer of endpoint 11: the only answer with the secrets. */
export const registrationBody = z
  .object({
    client_id: text,
    client_secret: text.nullable().meta({ description: 'Shown once; null for a public application' }),
    webhook_secret: text.meta({ description: 'Standard Webhooks: signs the notifications of this application' }),
    status: z.literal('success'),
    message: text,
  })
  .meta({ id: 'RegisteredApplication' });

/** Endpoint 11: `POST /v0/oauth/application`. 201 with the secrets, which are stored as hashes. */
export function registerApplication(applications: Pick<Applications, 'register' | 'registerPublic'>): RequestHandler {
  return async (request, response) => {
    const body: unknown = request.body;
    if (!isObject(body)) throw new HttpError('REQUEST_MALFORMED', 'The body must be a JSON object.');
    const fields = parseFields(registrationRequest, regularForm(body));
    const { name, comments, email, redirect_uris: redirectUris, token_endpoint_auth_method: method } = fields;
    const limits = limitsOf(fields.limits);
    const clientId = fields.client_id ?? undefined;
    const secret = fields.client_secret ?? undefined;
    const wanted = { name, comments, email, redirectUris, clientId, limits };
    if (method === 'none') {
      if (secret !== undefined) throw secretOfPublic();
      const { application, webhookSecret } = await applications.registerPublic(wanted);
      response.status(201).json(answer(application.clientId, null, webhookSecret));
      return;
    }
    const registered = await applications.register({ ...wanted, clientSecret: secret });
    const { application, clientSecret, webhookSecret } = registered;
    response.status(201).json(answer(application.clientId, clientSecret, webhookSecret));
  };
}

/** `GET /applications/<client_id>`: the application, without secrets (RFC 7592 §2.1). */
export function readApplication(applications: Pick<Applications, 'find'>): RequestHandler<{ clientId: string }> {
  return async ({ params }, response) => {
    response.json(bodyOf(await findApplication(applications, params.clientId)));
  };
}

/**
 * `PUT /applications/<client_id>`, close to RFC 7592 §2.2: members that are left out stay as they are; `limits` is
 * replaced as a whole.
 */
export function changeApplication(
  applications: Pick<Applications, 'find' | 'change'>,
): RequestHandler<{ clientId: string }> {
  return async ({ params, body }, response) => {
    if (!isObject(body)) throw new HttpError('REQUEST_MALFORMED', 'The body must be a JSON object.');
    const { redirect_uris: uris, email: given, ...others } = body;
    const { clientId, email: earlier } = await findApplication(applications, params.clientId);
    const fields = parseFields(applicationChange, {
      ...others,
      redirect_uris: typeof uris === 'string' ? [uris] : uris,
      // This computer's own application has no e-mail: a client may send the answer back unchanged.
      ...(given === earlier ? {} : { email: given }),
    });
    const { name, comments, email, redirect_uris: redirectUris } = fields;
    const limits = limitsOf(fields.limits);
    const changed = { name, comments, email, redirectUris, limits, signsRaw: fields.sign_raw };
    response.json(bodyOf(await applications.change(clientId, changed)));
  };
}

async function findApplication(applications: Pick<Applications, 'find'>, clientId: string): Promise<Application> {
  const found = await applications.find(clientId);
  if (found !== undefined) return found;
  const detail = 'No application has this client id: see "sinete applications list", or register the application.';
  throw new ServiceError('APPLICATION_NOT_FOUND', detail);
}

function bodyOf(application: Application): z.input<typeof applicationBody> {
  const { documentsPerDay, documentSize, hours } = application.limits;
  return {
    client_id: application.clientId,
    name: application.name,
    comments: application.comments,
    redirect_uris: [...application.redirectUris],
    email: application.email,
    token_endpoint_auth_method: application.isPublic ? 'none' : 'client_secret_basic',
    sign_raw: application.signsRaw,
    limits: { documents_per_day: documentsPerDay, document_size: documentSize, hours },
    created_at: application.createdAt.toISOString(),
    last_used_at: application.lastUsedAt?.toISOString() ?? null,
  };
}

/** The limits in the words of the service; undefined without limits. */
function limitsOf(given: z.output<typeof applicationLimits> | undefined): ApplicationLimits | undefined {
  if (given === undefined) return undefined;
  const { documents_per_day: documentsPerDay, document_size: documentSize, hours } = given;
  return { documentsPerDay, documentSize, hours };
}

/** A single address becomes a list, and empty credentials count as absent. */
function regularForm(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { redirect_uris: uris, client_id: id, client_secret: secret, ...rest } = body;
  return {
    ...rest,
    redirect_uris: typeof uris === 'string' ? [uris] : uris,
    client_id: id === '' ? undefined : id,
    client_secret: secret === '' ? undefined : secret,
  };
}

function answer(
  clientId: string,
  clientSecret: string | null,
  webhookSecret: string,
): z.input<typeof registrationBody> {
  const advice =
    clientSecret === null
      ? 'The webhook secret is shown this once: keep it safe.'
      : 'The secrets are shown this once: keep them safe.';
  return {
    client_id: clientId,
    client_secret: clientSecret,
    webhook_secret: webhookSecret,
    status: 'success',
    message: `The application is registered. ${advice}`,
  };
}

function secretOfPublic(): ReturnType<typeof invalidFields> {
  const detail = 'A public application has no secret: leave it out, or leave out token_endpoint_auth_method.';
  return invalidFields([{ field: 'client_secret', code: 'INVALID_VALUE', detail }]);
}
