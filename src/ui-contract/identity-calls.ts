/** The calls about enrolled people, applications, and authorizations waiting for a decision. */
import { z } from 'zod';
import { instant, nothing } from './views.ts';

/** A person or company with one-time passwords. */
export const accountView = z.object({
  id: z.number().int(),
  name: z.string(),
  /** CPF or CNPJ, without punctuation: the owner's own window shows the number. */
  username: z.string(),
  /** Data URI. */
  photo: z.string().nullable(),
  createdAt: instant,
  updatedAt: instant,
  /** Number of unused recovery codes. */
  recoveryCodes: z.number().int(),
});

/** The secrets of an enrolment, shown once. */
export const enrolmentView = z.object({
  /** Id of the enrolment until its confirmation, for at most ten minutes. */
  enrolment: z.string(),
  otpauthUri: z.string(),
  /** Base32, for typing. */
  secret: z.string(),
  /** The otpauth address as a QR code. */
  qrCodeSvg: z.string(),
});

/** Limits of an application; an absent member is no limit. */
const applicationLimits = z.object({
  documentsPerDay: z.number().int().optional(),
  /** Bytes. */
  documentSize: z.number().int().optional(),
  /** `08:00-18:00`, local time. */
  hours: z.string().max(11).optional(),
});

export const applicationView = z.object({
  clientId: z.string(),
  name: z.string(),
  comments: z.string(),
  email: z.string(),
  redirectUris: z.array(z.string()),
  isPublic: z.boolean(),
  limits: applicationLimits,
  /** It may ask for bare signatures of hashes, which can be anything. */
  signsRaw: z.boolean(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
});

/** Secrets, shown only this once; a public application has no client secret. */
export const applicationSecretsView = z.object({ clientSecret: z.string().nullable(), webhookSecret: z.string() });

export const scope = z.enum([
  'single_signature',
  'multi_signature',
  'signature_session',
  'authentication_session',
  'certificate_info',
  'service',
  'credential',
  'offline_access',
]);

/** An application waiting for the selected user's authorization in the window. */
export const waitingAuthorizationView = z.object({
  id: z.string(),
  application: z.string(),
  clientId: z.string(),
  /** Origin to which the person returns. */
  returnsTo: z.string(),
  scopes: z.array(scope),
  /** Most hashes that may be signed in place of documents; 0: none. */
  hashes: z.number().int(),
  /** Lifetime of the token in seconds. */
  lifetime: z.number().int(),
  /** The person who decides. */
  person: z.object({ name: z.string(), username: z.string() }),
  askedAt: instant,
  expiresAt: instant,
});

const administratorScope = z.enum(['monitor', 'registry', 'users', 'all']);

/** An administrator with a token for calls from other computers. */
const administratorView = z.object({
  name: z.string(),
  scopes: z.array(administratorScope),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
});

export type AdministratorView = z.output<typeof administratorView>;

/** A pause after failed attempts. */
const pauseView = z.object({
  kind: z.enum(['person', 'application', 'administrator', 'address']),
  name: z.string().nullable(),
  reach: z.enum(['address', 'unknown-addresses']),
  until: instant,
});

export type PauseView = z.output<typeof pauseView>;

const photo = z.string().max(400_000);
const name = z.string().max(200);
const applicationFields = {
  name,
  comments: z.string().max(4000),
  email: z.string().max(300),
  redirectUris: z.array(z.string().max(4000)).max(50),
};

/** Part of the table of calls. */
export const identityCalls = {
  'users.list': { input: nothing, output: z.array(accountView) },
  /** Pauses after failed attempts; `name` is null for a subject that is not known here. */
  'users.paused': { input: nothing, output: z.array(pauseView) },
  'users.begin': {
    input: z.object({ name, username: z.string().max(40), photo: photo.optional() }),
    output: enrolmentView,
  },
  /** Confirms the enrolment by its first code; only this answer contains the recovery codes. */
  'users.confirm': {
    input: z.object({ enrolment: z.string().max(100), code: z.string().max(40) }),
    output: z.object({ account: accountView, recoveryCodes: z.array(z.string()) }),
  },
  'users.change': {
    input: z.object({ id: z.number().int(), name: name.optional(), photo: photo.nullable().optional() }),
    output: accountView,
  },
  'users.remove': { input: z.object({ id: z.number().int() }), output: nothing },

  'applications.list': { input: nothing, output: z.array(applicationView) },
  'applications.add': {
    input: z.object({ ...applicationFields, limits: applicationLimits.optional(), isPublic: z.boolean() }),
    output: z.object({ application: applicationView, secrets: applicationSecretsView }),
  },
  'applications.change': {
    input: z.object({
      clientId: z.string(),
      name: name.optional(),
      comments: applicationFields.comments.optional(),
      email: applicationFields.email.optional(),
      redirectUris: applicationFields.redirectUris.optional(),
      limits: applicationLimits.optional(),
      signsRaw: z.boolean().optional(),
    }),
    output: applicationView,
  },
  'applications.rotate': { input: z.object({ clientId: z.string() }), output: applicationSecretsView },
  'applications.remove': { input: z.object({ clientId: z.string() }), output: nothing },

  'administrators.list': { input: nothing, output: z.array(administratorView) },
  /** Only this answer contains the token. */
  'administrators.add': {
    input: z.object({ name: z.string().max(64), scopes: z.array(administratorScope).min(1) }),
    output: z.object({ administrator: administratorView, token: z.string() }),
  },
  'administrators.revoke': { input: z.object({ name: z.string().max(64) }), output: nothing },

  'authorizations.waiting': { input: nothing, output: z.array(waitingAuthorizationView) },
  'authorizations.decide': {
    input: z.object({ id: z.string(), decision: z.enum(['allow', 'refuse']) }),
    output: nothing,
  },
} as const;

export type AccountView = z.output<typeof accountView>;
export type EnrolmentView = z.output<typeof enrolmentView>;
export type ApplicationView = z.output<typeof applicationView>;
export type ApplicationSecretsView = z.output<typeof applicationSecretsView>;
export type WaitingAuthorizationView = z.output<typeof waitingAuthorizationView>;
