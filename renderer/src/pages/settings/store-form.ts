import type { CallInput, CallOutput } from '../../../../src/ui-contract/ui-contract.ts';

type StoreInput = CallInput<'stores.add'>;

/** A store in the list. */
export type StoreView = CallOutput<'stores.list'>[number];

/** The typed values of the form. */
export interface StoreForm {
  readonly kind: StoreInput['kind'];
  readonly id: string;
  readonly endpoint: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  readonly pathStyle: boolean;
  readonly overwrite: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly serviceAccount: string;
}

export const storeKinds = ['s3', 'gcs'] as const satisfies StoreInput['kind'][];

/** The wrong fields, each with the name of its text in `operation.stores`. */
export type StoreProblems = Partial<
  Record<keyof StoreForm, 'idError' | 'idTaken' | 'endpointError' | 'required' | 'serviceAccountError'>
>;

/** The form for an existing store, or for a new store. Credentials are never shown, so their fields are empty. */
export function storeFormOf(store: StoreView | null): StoreForm {
  return {
    kind: store?.kind ?? 's3',
    id: store?.id ?? '',
    endpoint: store?.endpoint ?? '',
    bucket: store?.bucket ?? '',
    prefix: store?.prefix ?? '',
    region: store?.region ?? 'us-east-1',
    pathStyle: store?.pathStyle ?? false,
    overwrite: store?.overwrite ?? false,
    accessKeyId: '',
    secretAccessKey: '',
    serviceAccount: '',
  };
}

/** Problems that the core would refuse, found in advance; `taken` are the names of the other stores. */
export function storeProblemsOf(form: StoreForm, taken: readonly string[]): StoreProblems {
  const problems: StoreProblems = {};
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(form.id)) problems.id = 'idError';
  else if (taken.includes(form.id)) problems.id = 'idTaken';
  const endpoint = form.endpoint.trim();
  if (endpoint !== '' && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) problems.endpoint = 'endpointError';
  if (form.bucket.trim() === '') problems.bucket = 'required';
  if (form.kind === 's3') {
    for (const field of ['region', 'accessKeyId', 'secretAccessKey'] as const) {
      if (form[field].trim() === '') problems[field] = 'required';
    }
  } else if (form.serviceAccount.trim() === '' ? endpoint === '' : !isServiceAccount(form.serviceAccount)) {
    problems.serviceAccount = form.serviceAccount.trim() === '' ? 'required' : 'serviceAccountError';
  }
  return problems;
}

function isServiceAccount(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'private_key' in value && 'client_email' in value;
  } catch {
    return false;
  }
}

/** The form in the call's shape. */
export function storeInputOf(form: StoreForm): StoreInput {
  const { kind, id, overwrite } = form;
  const endpoint = form.endpoint.trim();
  const common = {
    id,
    bucket: form.bucket.trim(),
    prefix: form.prefix.trim(),
    overwrite,
    ...(endpoint === '' ? {} : { endpoint }),
  };
  if (kind === 's3') {
    const { accessKeyId, secretAccessKey, pathStyle } = form;
    return { ...common, kind, region: form.region.trim(), pathStyle, accessKeyId: accessKeyId.trim(), secretAccessKey };
  }
  const serviceAccount = form.serviceAccount.trim();
  return { ...common, kind, ...(serviceAccount === '' ? {} : { serviceAccount }) };
}
