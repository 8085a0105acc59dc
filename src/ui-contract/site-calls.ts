/** The calls about web sites and the users of this computer. */
import { z } from 'zod';
import { fingerprint, instant, nothing } from './views.ts';

export const grantScope = z.enum([
  'user:read',
  'user:write',
  'certificates:read',
  'sign',
  'sign_raw',
  'application:read',
]);

/** The permitted use of a folder or a store that the owner opened to a caller. */
export const fileAccess = z.enum(['read', 'write', 'both']);

const days = z.number().int().min(1).max(3650).nullable();

/** The permissions of a site. */
const siteView = z.object({
  origin: z.string(),
  /** The origin with its host in Unicode, if different: similar letters can make two names look alike. */
  displayOrigin: z.string(),
  scopes: z.array(grantScope),
  createdAt: instant,
  /** Null: until revoked. */
  expiresAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
  uses: z.number().int(),
  /** `configuration`: cannot be changed here. */
  source: z.enum(['user', 'configuration']),
  /** "N signatures for M minutes", by certificate. */
  standingApprovals: z.array(
    z.object({ certificateFingerprint: fingerprint, signaturesLeft: z.number().int(), expiresAt: instant }),
  ),
});

/** A folder or a prefix in a store that the owner opened to a caller. */
const fileGrantView = z.object({
  /** The origin of a site, or the client id of an application on another computer. */
  caller: z.string(),
  /** The origin with its host in Unicode, if different. */
  displayCaller: z.string(),
  /** Absolute path, `s3://bucket/prefix` or `gs://bucket/prefix`. */
  root: z.string(),
  access: fileAccess,
  createdAt: instant,
  /** Null: until revoked. */
  expiresAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
  uses: z.number().int(),
  source: z.enum(['user', 'configuration']),
});

/** A site waiting for a permission. */
const consentQuestionView = z.object({
  id: z.string(),
  origin: z.string(),
  displayOrigin: z.string(),
  /** The proposed scopes. */
  scopes: z.array(grantScope),
  /** The scopes that its requests need. */
  wanted: z.array(grantScope),
  askedAt: instant,
  expiresAt: instant,
});

/** A user of this computer. */
const cachedUserView = z.object({
  id: z.number().int(),
  name: z.string(),
  /** CPF or CNPJ, without punctuation: the owner's own window shows the number. */
  username: z.string(),
  photo: z.string().nullable(),
  updatedAt: instant,
  selected: z.boolean(),
  certificates: z.array(
    z.object({
      alias: z.string(),
      fingerprint,
      /** True for a certificate linked by hand; false if the certificate itself names the user. */
      linked: z.boolean(),
      present: z.boolean(),
    }),
  ),
});

/**
 * Given with an approval of a site's transaction: the next signatures for this site and certificate need no question.
 */
export const standingApproval = z.object({
  signatures: z.number().int().min(1).max(1000),
  minutes: z.number().int().min(1).max(1440),
});

const username = z.string().max(32);

export const siteCalls = {
  'sites.list': { input: nothing, output: z.array(siteView) },
  /** Gives a site its permissions. `insecure`: the owner was warned about a plain http site, whose scope is `sign`. */
  'sites.change': {
    input: z.object({
      origin: z.string().max(300),
      scopes: z.array(grantScope).min(1),
      days,
      insecure: z.boolean().optional(),
    }),
    output: siteView,
  },
  'sites.revoke': { input: z.object({ origin: z.string().max(300) }), output: nothing },
  /** The site's signatures with this certificate need approval again. */
  'sites.endStandingApproval': {
    input: z.object({ origin: z.string().max(300), certificateFingerprint: fingerprint }),
    output: nothing,
  },

  /** Folders and stores that callers may name. */
  'sites.files': { input: nothing, output: z.array(fileGrantView) },
  'sites.allowFiles': {
    input: z.object({
      caller: z.string().min(1).max(300),
      root: z.string().min(1).max(4096),
      access: fileAccess,
      days,
    }),
    output: fileGrantView,
  },
  'sites.revokeFiles': {
    input: z.object({ caller: z.string().min(1).max(300), root: z.string().min(1).max(4096) }),
    output: nothing,
  },

  'consent.questions': { input: nothing, output: z.array(consentQuestionView) },
  /** `days` null: until revoked; `once`: for the site's present action. */
  'consent.answer': {
    input: z.discriminatedUnion('allow', [
      z.object({
        id: z.string(),
        allow: z.literal(true),
        scopes: z.array(grantScope).min(1),
        days: z.union([days, z.literal('once')]),
      }),
      z.object({ id: z.string(), allow: z.literal(false) }),
    ]),
    output: nothing,
  },

  'assistant.users': { input: nothing, output: z.array(cachedUserView) },
  /** Adds a user by a one-time password; the first user becomes the selected user. */
  'assistant.add': { input: z.object({ username, code: z.string().max(64) }), output: cachedUserView },
  'assistant.select': { input: z.object({ username }), output: nothing },
  'assistant.remove': { input: z.object({ id: z.number().int() }), output: nothing },
  'assistant.link': { input: z.object({ username, fingerprint }), output: nothing },
  'assistant.unlink': { input: z.object({ username, fingerprint }), output: nothing },
} as const;

export type GrantScopeView = z.output<typeof grantScope>;
export type FileAccessView = z.output<typeof fileAccess>;
export type FileGrantView = z.output<typeof fileGrantView>;
export type SiteView = z.output<typeof siteView>;
export type ConsentQuestionView = z.output<typeof consentQuestionView>;
export type CachedUserView = z.output<typeof cachedUserView>;
