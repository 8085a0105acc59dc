import type { CallInput, TimestampServerView } from '../../../../src/ui-contract/ui-contract.ts';

type ServerInput = CallInput<'tsa.add'>;

/** The typed values of the form. */
export interface TimestampForm {
  readonly id: string;
  readonly url: string;
  readonly digest: ServerInput['digest'];
  readonly policy: string;
  readonly kind: ServerInput['authentication']['kind'];
  readonly user: string;
  readonly password: string;
  readonly token: string;
  readonly certificate: string;
  readonly privateKey: string;
}

export const digests = [
  'sha256',
  'sha384',
  'sha512',
  'sha3-256',
  'sha3-384',
  'sha3-512',
] as const satisfies ServerInput['digest'][];
export const authenticationKinds = ['none', 'basic', 'bearer', 'client-certificate'] as const;

/** The wrong fields, each with the name of its text in `settings.timestamps`. */
export type FormProblems = Partial<
  Record<keyof TimestampForm, 'idError' | 'idTaken' | 'urlError' | 'httpsError' | 'policyError' | 'required'>
>;

/** The form for an existing server, or for a new server. Credentials are never shown, so their fields are empty. */
export function formOf(server: TimestampServerView | null): TimestampForm {
  return {
    id: server?.id ?? '',
    url: server?.url ?? 'https://',
    digest: server?.digest ?? 'sha256',
    policy: server?.policy ?? '',
    kind: server?.authentication ?? 'none',
    user: '',
    password: '',
    token: '',
    certificate: '',
    privateKey: '',
  };
}

const credentials = {
  none: [],
  basic: ['user', 'password'],
  bearer: ['token'],
  'client-certificate': ['certificate', 'privateKey'],
} as const satisfies Record<TimestampForm['kind'], readonly (keyof TimestampForm)[]>;

/** The fields of a kind of authentication. */
export function credentialsOf(
  kind: TimestampForm['kind'],
): readonly ('user' | 'password' | 'token' | 'certificate' | 'privateKey')[] {
  return credentials[kind];
}

/** Problems that the core would refuse, found in advance; `taken` are the names of the other servers. */
export function problemsOf(form: TimestampForm, taken: readonly string[]): FormProblems {
  const { id, url, policy, kind } = form;
  const problems: FormProblems = {};
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(id) || id === 'test') problems.id = 'idError';
  else if (taken.includes(id)) problems.id = 'idTaken';
  const address = URL.parse(url.trim());
  if (address === null || !/^https?:$/.test(address.protocol) || address.hostname === '') problems.url = 'urlError';
  else if (kind !== 'none' && address.protocol === 'http:' && address.hostname !== '127.0.0.1') {
    problems.url = 'httpsError';
  }
  if (policy.trim() !== '' && !/^[0-2](\.\d+)+$/.test(policy.trim())) problems.policy = 'policyError';
  for (const field of credentialsOf(kind)) if (form[field] === '') problems[field] = 'required';
  return problems;
}

/** The form in the call's shape. */
export function inputOf(form: TimestampForm): ServerInput {
  const { id, url, digest, policy } = form;
  return {
    id,
    url: url.trim(),
    digest,
    ...(policy.trim() === '' ? {} : { policy: policy.trim() }),
    authentication: authenticationOf(form),
  };
}

function authenticationOf(form: TimestampForm): ServerInput['authentication'] {
  const { kind, user, password, token, certificate, privateKey } = form;
  switch (kind) {
    case 'none':
      return { kind };
    case 'basic':
      return { kind, user, password };
    case 'bearer':
      return { kind, token };
    case 'client-certificate':
      return { kind, certificate, privateKey };
  }
}
