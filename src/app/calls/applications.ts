import type { Application } from '../../service/applications/index.ts';
import { tokenLifetime, type WaitingAuthorization } from '../../service/authorization/index.ts';
import type { ApplicationView, WaitingAuthorizationView } from '../../ui-contract/identity-calls.ts';
import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../compose/open-core.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

type ApplicationCalls = Pick<
  CallHandlers,
  Extract<keyof CallHandlers, `applications.${string}` | `authorizations.${string}`>
>;

/** The calls about applications, and about applications waiting for an authorization. */
export function applicationCalls({
  applications,
  authorizationRequests,
}: Pick<Core, 'applications' | 'authorizationRequests'>): ApplicationCalls {
  return {
    'applications.list': async () => (await applications.list()).map(applicationForUi),
    'applications.add': async ({ isPublic, limits, ...fields }) => {
      const wanted = { ...fields, limits: dropUndefined(limits ?? {}) };
      if (isPublic) {
        const { application, webhookSecret } = await applications.registerPublic(wanted);
        return { application: applicationForUi(application), secrets: { clientSecret: null, webhookSecret } };
      }
      const { application, clientSecret, webhookSecret } = await applications.register(wanted);
      return { application: applicationForUi(application), secrets: { clientSecret, webhookSecret } };
    },
    'applications.change': async ({ clientId, name, comments, email, redirectUris, limits: given, signsRaw }) => {
      const limits = given && dropUndefined(given);
      const change = { name, comments, email, redirectUris, limits, signsRaw };
      return applicationForUi(await applications.change(clientId, change));
    },
    'applications.rotate': async ({ clientId }) => {
      const { clientSecret, webhookSecret } = await applications.rotate(clientId);
      return { clientSecret, webhookSecret };
    },
    'applications.remove': async ({ clientId }) => {
      await applications.remove(clientId);
      return {};
    },
    'authorizations.waiting': async () => (await authorizationRequests.waiting()).map(waitingForUi),
    'authorizations.decide': async ({ id, decision }) => {
      await authorizationRequests.decide(id, decision);
      return Promise.resolve({});
    },
  };
}

function applicationForUi({
  createdAt,
  lastUsedAt,
  redirectUris,
  limits,
  ...application
}: Application): ApplicationView {
  return {
    ...application,
    redirectUris: [...redirectUris],
    limits: { ...limits },
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

function waitingForUi({ id, request, person, askedAt, expiresAt }: WaitingAuthorization): WaitingAuthorizationView {
  return {
    id,
    application: request.application.name,
    clientId: request.application.clientId,
    returnsTo: new URL(request.redirectUri).origin,
    scopes: [...request.scopes],
    hashes: request.hashes?.most ?? 0,
    lifetime: tokenLifetime(person.username, request.lifetime),
    person: { ...person },
    askedAt: askedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
