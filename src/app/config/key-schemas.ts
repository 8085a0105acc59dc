/** Schemas that several keys of the configuration share, or that are too long for the table of the keys. */
import { z } from 'zod';
import { areHours, clientIdShape, type ApplicationLimits } from '../../service/applications/index.ts';
import {
  FILE_ACCESS,
  GRANT_SCOPES,
  isCallerName,
  type ConfiguredFileGrant,
  type ConfiguredSite,
} from '../../service/consent/index.ts';

/** All there is to a key. */
export interface KeyRow {
  /** Checks the value, adds the default, and converts the value to its form in `Configuration`. */
  readonly schema: z.ZodType;
  /** A sentence or two for the reference (docs/reference/configuration.md). */
  readonly meaning: string;
  /** The property of `Configuration`; absent: `config.ts` makes a property of several keys. */
  readonly place?: string;
  /** The value without a setting, where it depends on the computer or the data folder. */
  readonly otherwise?: (dataFolder: string) => unknown;
}

export const seconds = (preset: number) => z.number().positive().max(31_536_000).default(preset);
/** Address of another instance, which is trusted and receives secrets: https, or http on this computer. */
export const serviceUrl = z
  .url({ protocol: /^https?$/ })
  .refine(isSafeService, 'must be https, or http on this computer, without query')
  .transform((url) => url.replace(/\/+$/, ''));
/** A client id or an origin. */
export const callerName = z
  .string()
  .refine(isCallerName, 'name client ids of applications, and origins of sites such as "https://portal.example"');
export const folderPath = z.string().regex(/^(\/|\\\\|[A-Za-z]:[\\/])/, 'must be an absolute path');

/** Origin → scopes: `"https://portal.example" = ["certificates:read", "sign"]`. */
export const siteGrants = z
  .record(z.string(), z.array(z.enum(GRANT_SCOPES)).min(1))
  .default({})
  .transform((sites): readonly ConfiguredSite[] =>
    Object.entries(sites).map(([origin, scopes]) => ({ origin, scopes })),
  );

/** Permission bits of results: the owner may always read and write, and a result is never a program. */
export const resultMode = z
  .string()
  .regex(/^0?6[0246]{2}$/, 'must be the rights of a file, such as "0640"')
  .transform((text) => Number.parseInt(text, 8));

const fileGrant = z.object({
  root: z.string().min(1).max(4096),
  access: z.enum(FILE_ACCESS),
  until: z.union([z.date(), z.iso.date(), z.iso.datetime({ offset: true })]).optional(),
  result_mode: resultMode.optional(),
});

/** Origin or client id → folders and stores: `"https://portal.example" = [{ root = "/srv/in", access = "read" }]`. */
export const fileGrants = z
  .record(callerName, z.array(fileGrant).min(1))
  .default({})
  .transform((all): readonly ConfiguredFileGrant[] =>
    Object.entries(all).flatMap(([caller, grants]) =>
      grants.map(({ root, access, until, result_mode }) => ({
        caller,
        root,
        access,
        resultMode: result_mode,
        until: until === undefined ? null : new Date(until),
      })),
    ),
  );

const clientId = z.string().regex(clientIdShape, 'must name client ids of applications');
const limitsOfApplication = z.strictObject({
  documents_per_day: z.number().int().positive().optional(),
  document_size: z.number().int().positive().optional(),
  hours: z.string().refine(areHours, 'hours are two times of the day, such as "08:00-18:00"').optional(),
});

/** Client id → limits: `"crm" = { documents_per_day = 200, document_size = 10485760, hours = "08:00-18:00" }`. */
export const applicationLimits = z
  .record(clientId, limitsOfApplication)
  .default({})
  .transform((all): Readonly<Record<string, ApplicationLimits>> =>
    Object.fromEntries(
      Object.entries(all).map(([client, { documents_per_day, document_size, hours }]) => [
        client,
        { documentsPerDay: documents_per_day, documentSize: document_size, hours },
      ]),
    ),
  );

/** Characters allowed in file names on every system, without a dot or space at the end. */
export const nameSuffix = /^(?=.{1,40}$)[^<>:"/\\|?*\u0000-\u001f\u007f]*[^<>:"/\\|?*\u0000-\u001f\u007f. ]$/;
/** Hash functions by their names in reports and in Node. */
export const hashName = z.enum([
  'md5',
  'sha1',
  'sha224',
  'sha256',
  'sha384',
  'sha512',
  'sha512-224',
  'sha512-256',
  'sha3-224',
  'sha3-256',
  'sha3-384',
  'sha3-512',
  'shake256',
]);
export const keyBits = z.string().regex(/^[1-9]\d{2,4}$/, 'must be the least number of bits');
/** The first day on which an algorithm is no longer trusted; TOML has a date type. */
export const algorithmEnd = z
  .union([z.enum(['always', 'never']), z.iso.date(), z.date()], 'must be a day (YYYY-MM-DD), "always" or "never"')
  .transform((end) => (end instanceof Date ? end.toISOString().slice(0, 10) : end));
/** A name in traces. */
export const shortName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'must be a name of letters, digits, ".", "_" and "-"');
/** A shared folder, or a bucket. */
export const documentsStore = z
  .string()
  .regex(
    /^(\/|[A-Za-z]:[\\/]|s3:\/\/[a-z0-9.-]+(\/|$))/,
    'must be the absolute path of a folder that all nodes share, or "s3://bucket/prefix"',
  );
export const absolutePath = z.string().regex(/^(\/|[A-Za-z]:[\\/])/, 'must be an absolute path');

function isSafeService(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}
