import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCreateBody, readCreateRequest } from '../../src/http/signing-service/read-create-request.ts';
import { createRequest } from '../../src/http/signing-service/schemas.ts';
import { requestOptions, settingOptions, type RequestOption } from '../../src/request/signature-request.ts';
import { signatureTypes, type SignatureType } from '../../src/request/signature-types.ts';
import { ServiceError } from '../../src/service/errors/index.ts';
import { checkRequest } from '../../src/service/transactions/intake/check-request.ts';
import { placeDocuments } from '../../src/service/transactions/intake/document-places.ts';
import { defaultLimits } from '../../src/service/transactions/limits.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const headers = {
  reach: { kind: 'owner', overNetwork: false },
  idempotencyKey: undefined,
  bodyDigest: '',
  notify: { baseUrl: 'http://127.0.0.1:17171', clientId: null, fromLoopback: true },
} as const;

const least = { type: 'PAdES', documents_source: 'UPLOAD_REFERENCE' };
const leastOfHashes = { hashes: [{ hash: Buffer.alloc(32).toString('hex'), hash_algorithm: 'SHA256' }] };

/** A valid value of each option, in the form of the HTTP body. */
const samples: Readonly<
  Record<
    Exclude<keyof typeof requestOptions | keyof typeof settingOptions, 'type' | 'counterSign' | 'invisible'>,
    unknown
  >
> = {
  digest: 'SHA384',
  policy: 'none',
  timestampServer: 'one',
  timestampDigest: 'SHA256',
  evidence: 'wait',
  signerCompany: '11222333000181',
  signatureAlgorithm: 'RSASSA-PSS',
  claimedRole: 'Director',
  reason: 'I agree',
  location: 'Recife',
  contact: 'maria@example.org',
  name: 'Maria',
  fieldName: 'Signature1',
  certify: 'form-filling',
  keepStandard: true,
  visible: true,
  information: [{ name: '2.16.76.1.12.1.1', value: 'Receita' }],
};

const table = Object.entries<RequestOption>({ ...requestOptions, ...settingOptions }).filter(
  ([name]) => name in samples,
);

async function readBody(body: Readonly<Record<string, unknown>>) {
  const read = await readCreateBody(body, 10);
  const { unknown, misplaced } = read.ignored;
  return {
    ignored: [...unknown, ...misplaced].map(({ field }) => field),
    asked: await readCreateRequest(read, headers),
  };
}

/** The names of a closed set in a JSON Schema, also of a set inside a union. */
function namesIn(schema: JsonSchema): readonly string[] {
  const parts = (schema.anyOf ?? []) as readonly JsonSchema[];
  return [...((schema.enum ?? []) as string[]), ...parts.flatMap(namesIn)];
}

/** Each member of each closed set in the body, with the body naming the member in a given spelling. */
function closedSets() {
  const { definitions, ...root } = z.toJSONSchema(createRequest, { target: 'draft-7', io: 'input' }) as JsonSchema & {
    readonly definitions?: Readonly<Record<string, JsonSchema>>;
  };
  const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> => {
    const { $ref, properties } = schema as { readonly $ref?: string; readonly properties?: Record<string, JsonSchema> };
    return properties ?? propertiesOf(definitions?.[$ref?.split('/').at(-1) ?? ''] as JsonSchema);
  };
  const fields = propertiesOf(root);
  const settings = propertiesOf(fields.signature_settings?.items as JsonSchema);
  return [
    ...Object.entries(fields).map(([field, schema]) => ({
      field,
      names: namesIn(schema),
      body: (name: string) => ({ ...least, [field]: name }),
    })),
    ...Object.entries(settings).map(([field, schema]) => ({
      field,
      names: namesIn(schema),
      body: (name: string) => ({ ...least, signature_settings: { visible_signature: true, [field]: name } }),
    })),
  ].filter(({ names }) => names.length > 0);
}

describe('a closed set of the create request', () => {
  it.each(closedSets())('is read in any letter case, with underscores for hyphens: $field', async ({ names, body }) => {
    for (const name of names) {
      const { asked } = await readBody(body(name));
      for (const spelled of [name.toUpperCase(), name.toLowerCase(), ` ${name.replaceAll('-', '_')} `]) {
        expect((await readBody(body(spelled))).asked, spelled).toEqual(asked);
      }
    }
  });

  it('is found for each option with values, and for the fields beside the table', () => {
    const found = closedSets().map(({ field }) => field);
    const closed = table.flatMap(([, { values, body }]) =>
      values === undefined || body === undefined ? [] : [body.name],
    );
    expect(found).toEqual(expect.arrayContaining([...closed, 'type', 'policy', 'mode', 'documents_source']));
    expect(found).toEqual(expect.arrayContaining(['documents_destination', 'visible_sign_corner']));
  });
});

describe('an option of the create request', () => {
  const misplaced = table.flatMap(([name, option]) =>
    signatureTypes.filter((type) => !option.types.includes(type)).map((type) => ({ name, option, type })),
  );

  it.each(misplaced)(
    'is refused or named, and has no effect, on a type without the option: $name on $type',
    async ({ name, option, type }) => {
      const { ignored, checked, refused } = await tryOption(name, option, type);
      expect(ignored.length + refused.length).toBe(1);
      expect([...ignored, ...refused][0]).toMatch(new RegExp(`(^|\\.)${option.body?.name ?? option.field ?? name}$`));
      if (checked === undefined) return;
      expect(checked.settings[0]).not.toHaveProperty(name);
      expect(checked.options).not.toHaveProperty(name);
    },
  );

  const fitting = table.flatMap(([name, option]) => option.types.map((type) => ({ name, option, type })));

  it.each(fitting)('arrives on a type with the option: $name on $type', async ({ name, option, type }) => {
    const { ignored, checked, refused } = await tryOption(name, option, type);
    expect([...ignored, ...refused]).toEqual([]);
    const arrived = { ...checked?.settings[0], ...checked?.options };
    expect(arrived).toHaveProperty(name);
  });
});

/** Reads and checks a request with a single option beside its type. */
async function tryOption(name: string, option: RequestOption, type: SignatureType) {
  const field = { [option.body?.name ?? option.field ?? name]: samples[name as keyof typeof samples] };
  const isSetting = name in settingOptions;
  const { ignored, asked } = await readBody({
    ...(type === 'RAW' ? leastOfHashes : least),
    type,
    ...(isSetting ? { signature_settings: field } : field),
  });
  try {
    return {
      ignored,
      refused: [],
      checked: await checkRequest(await placeDocuments(asked, { roots: [] }), defaultLimits),
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { ignored, refused: error.problems.map((problem) => problem.field), checked: undefined };
  }
}
