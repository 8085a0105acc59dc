import { z } from 'zod';
import type { CachedUser, UserCertificate } from '../../service/assistant/index.ts';
import { assistantCodes, type AssistantCode } from '../../service/errors/index.ts';

/** The members common to every answer of the assistant. */
export const detailBody = z.object({ code: z.int(), status: z.string(), message: z.string() });

/** Answer of the assistant to a refused or failed request. */
export const assistantErrorBody = z.object({
  detail: detailBody,
  errors: z.array(z.object({ field: z.string(), code: z.string(), detail: z.string() })).optional(),
});

const cachedUser = {
  name: z.string(),
  username: z.string().meta({ description: 'CPF or CNPJ, without punctuation' }),
  date_last_update: z.string().meta({ description: 'Local time, YYYY-MM-DD HH:MM:SS' }),
  photo: z.string().nullable().meta({ description: 'Thumbnail as a data URI (RFC 2397)' }),
};

const listedUser = z.object({ id: z.int(), ...cachedUser });

export const noBody = z.object({ detail: detailBody });
export const userBody = z.object({ user: listedUser, detail: detailBody });
export const usersBody = z.object({ users: z.array(listedUser), detail: detailBody });
export const selectedUserBody = z.object({ ...cachedUser, detail: detailBody });

export const certificatesBody = z.object({
  certificates: z.array(
    z.looseObject({
      alias: z.string(),
      /** `token`, `file`, `browser`; other kinds of places may come. */
      source: z.string(),
      place: z.string(),
      token: z.object({ module: z.string(), label: z.string(), serial_number: z.string() }).nullable(),
      present: z.boolean(),
      pem: z.string(),
    }),
  ),
  detail: detailBody,
});

const application = { client_name: z.string(), client_id: z.string() };
export const applicationBody = z.object({ ...application, detail: detailBody });
export const applicationSecretBody = z.object({ ...application, client_secret: z.string(), detail: detailBody });

export function detailOf(code: AssistantCode): z.output<typeof detailBody> {
  return { ...assistantCodes[code] };
}

/** A user as an entry of the list of users. */
export function userEntry(user: CachedUser): z.output<typeof listedUser> {
  return { id: user.id, ...selectedUserFields(user) };
}

export function selectedUserFields({
  name,
  username,
  updatedAt,
  photo,
}: CachedUser): Omit<z.output<typeof listedUser>, 'id'> {
  return { name, username, date_last_update: localTime(updatedAt), photo };
}

/** A certificate: its entry of certificate information, and the place of its key. */
export function certificateBody(
  certificate: UserCertificate,
): z.output<typeof certificatesBody>['certificates'][number] {
  const { alias, source, place, token, present, pem, entry } = certificate;
  return {
    alias,
    ...entry,
    pem,
    source,
    place,
    token: token === null ? null : { module: token.module, label: token.label, serial_number: token.serialNumber },
    present,
  };
}

/** `YYYY-MM-DD HH:MM:SS` in the time zone of this computer. */
function localTime(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}
