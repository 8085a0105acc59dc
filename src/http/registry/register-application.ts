import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ApplicationLimits, Applications } from '../../service/applications/index.ts';
import { HttpError } from '../http-error.ts';
import { invalidFields, isObject, parseFields } from '../read-body.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

const text = z.string();

/** Body of endpoint 11. Lengths and shapes are the service's to check. */
export const registrationRequest = z
  .object({
    name: text.meta({
      minLength: 1,
      maxLength: 100,
      description: 'Name or description of the application; shown to the people who authorize it',
    }),
    comments: text.meta({ maxLength: 2000, description: 'General usage notes' }),
    redirect_uris: z.array(text).meta({
      maxItems: 20,
      description: 'Where people may be sent back: https, or http on loopback, without a fragment',
    }),
    email: text.min(1).meta({ format: 'email', maxLength: 254, description: 'Support contact' }),
    client_id: text.optional().meta({ description: 'Honoured while it is free; otherwise one is made' }),
    client_secret: text.optional().meta({ description: 'Honoured; otherwise one is made' }),
    limits: z
      .object({
        documents_per_day: z.number().int().positive().optional().meta({
          description: 'Documents from midnight to midnight, local time of the instance',
        }),
        document_size: z.number().int().positive().optional().meta({ description: 'Bytes of a document' }),
        hours: text.optional().meta({
          description: 'When the application may ask for signatures: two times of the day, local time of the instance',
          examples: ['08:00-18:00'],
        }),
      })
      .optional()
      .meta({ description: 'What the application may ask for at most; the owner of the instance may change it' }),
    token_endpoint_auth_method: z.enum(['client_secret_basic', 'client_secret_post', 'none']).optional().meta({
      description:
        'RFC 7591 §2. "none" registers a public application: it gets no secret, and has to use PKCE with S256.',
    }),
  })
  .meta({ id: 'ApplicationRegistration' });

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
    const { name, comments, email, redirect_uris: redirectUris, client_id: clientId } = fields;
    const limits = limitsOf(fields.limits);
    const wanted = { name, comments, email, redirectUris, ...dropUndefined({ clientId, limits }) };
    if (fields.token_endpoint_auth_method === 'none') {
      if (fields.client_secret !== undefined) throw secretOfPublic();
      const { application, webhookSecret } = await applications.registerPublic(wanted);
      response.status(201).json(answer(application.clientId, null, webhookSecret));
      return;
    }
    const { client_secret: secret } = fields;
    const registered = await applications.register({
      ...wanted,
      ...dropUndefined({ clientSecret: secret }),
    });
    const { application, clientSecret, webhookSecret } = registered;
    response.status(201).json(answer(application.clientId, clientSecret, webhookSecret));
  };
}

function limitsOf(given: z.output<typeof registrationRequest>['limits']): ApplicationLimits | undefined {
  if (given === undefined) return undefined;
  const { documents_per_day: documentsPerDay, document_size: documentSize, hours } = given;
  return dropUndefined({ documentsPerDay, documentSize, hours });
}

/** A single address becomes a list, and empty or null credentials count as absent. */
function regularForm(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { redirect_uris: uris, client_id: id, client_secret: secret, ...rest } = body;
  return {
    ...rest,
    redirect_uris: typeof uris === 'string' ? [uris] : uris,
    client_id: id === '' || id === null ? undefined : id,
    client_secret: secret === '' || secret === null ? undefined : secret,
  };
}

function answer(
  clientId: string,
  clientSecret: string | null,
  webhookSecret: string,
): z.input<typeof registrationBody> {
  const shown = clientSecret === null ? 'The webhook secret is' : 'The secrets are';
  return {
    client_id: clientId,
    client_secret: clientSecret,
    webhook_secret: webhookSecret,
    status: 'success',
    message: `The application is registered. ${shown} shown this once: keep it safe.`,
  };
}

function secretOfPublic(): ReturnType<typeof invalidFields> {
  const detail = 'A public application has no secret: leave it out, or leave out token_endpoint_auth_method.';
  return invalidFields([{ field: 'client_secret', code: 'INVALID_VALUE', detail }]);
}
