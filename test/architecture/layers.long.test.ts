import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error -- dependency-cruiser reads its rules from a CommonJS file without types.
import configuration from './layers.cjs';

const { forbidden, options } = configuration as { forbidden: IForbiddenRuleType[]; options: object };
const root = join(import.meta.dirname, '../..');

async function cruiseTree(baseDir: string): Promise<ICruiseResult> {
  const previous = process.cwd();
  process.chdir(baseDir);
  try {
    const { output } = await cruise(['src', 'renderer'], { ...options, ruleSet: { forbidden }, validate: true });
    if (typeof output === 'string') throw new TypeError('dependency-cruiser answered text');
    return output;
  } finally {
    process.chdir(previous);
  }
}

/** One import breaking each rule: file to add, its source, and the rule expected to name the file. */
const violations: readonly (readonly [rule: string, file: string, source: string])[] = [
  ['no-circular', 'src/signing/loop-a.ts', `import { b } from './loop-b.ts';\nexport const a = () => b;`],
  ['resolvable', 'src/signing/lost.ts', `import { x } from './nowhere.ts';\nexport const lost = x;`],
  [
    'signing-stands-alone',
    'src/signing/bad-1.ts',
    `import { ServiceError } from '../service/errors/index.ts';\nexport const x = ServiceError;`,
  ],
  [
    'service-knows-only-signing',
    'src/service/bad-2.ts',
    `import * as storage from '../storage/index.ts';\nexport const x = storage;`,
  ],
  [
    'storage-fills-service',
    'src/storage/bad-3.ts',
    `import { SigningError } from '../signing/index.ts';\nexport const x = SigningError;`,
  ],
  [
    'http-translates-service',
    'src/http/bad-4.ts',
    `import type { Signer } from '../signing/index.ts';\nexport type X = Signer;`,
  ],
  [
    'http-ui-carries-the-contract',
    'src/http/ui/bad-5.ts',
    `import * as storage from '../../storage/index.ts';\nexport const x = storage;`,
  ],
  [
    'test-authority-uses-signing',
    'src/test-authority/bad-6.ts',
    `import { ServiceError } from '../service/errors/index.ts';\nexport const x = ServiceError;`,
  ],
  [
    'app-runs-without-a-shell',
    'src/app/bad-7.ts',
    `import * as main from '../desktop/bad-24.ts';\nexport const x = main;`,
  ],
  [
    'ui-contract-is-alone',
    'src/ui-contract/bad-9.ts',
    `import { ServiceError } from '../service/errors/index.ts';\nexport const x = ServiceError;`,
  ],
  [
    'renderer-sees-the-contract',
    'renderer/src/bad-10.ts',
    `import type { Signer } from '../../src/signing/index.ts';\nexport type X = Signer;`,
  ],
  ['text-is-alone', 'src/text/bad-34.ts', `import { readFileSync } from 'node:fs';\nexport const x = readFileSync;`],
  [
    'request-is-alone',
    'src/request/bad-41.ts',
    `import { ServiceError } from '../service/errors/index.ts';\nexport const x = ServiceError;`,
  ],
  [
    'values-are-alone',
    'src/values/bad-40.ts',
    `import { readFileSync } from 'node:fs';\nexport const x = readFileSync;`,
  ],
  [
    'renderer-has-no-node',
    'renderer/src/bad-11.ts',
    `import { readFileSync } from 'node:fs';\nexport const x = readFileSync;`,
  ],
  [
    'pages-stand-alone',
    'renderer/src/pages/home/bad-31.ts',
    `import { SignPage } from '../sign/sign-page.tsx';\nexport const x = SignPage;`,
  ],
  [
    'shell-composes-pages',
    'renderer/src/components/bad-32.ts',
    `import { SignPage } from '../pages/sign/sign-page.tsx';\nexport const x = SignPage;`,
  ],
  [
    'shell-is-on-top',
    'renderer/src/pages/home/bad-33.ts',
    `import { Shell } from '../../shell/shell.tsx';\nexport const x = Shell;`,
  ],
  [
    'client-is-alone',
    'src/client/bad-28.ts',
    `import { readFileSync } from 'node:fs';\nexport const x = readFileSync;`,
  ],
  [
    'client-is-served',
    'src/app/bad-29.ts',
    `import type { Sinete } from '../client/index.ts';\nexport type X = Sinete;`,
  ],
  [
    'signing-through-index',
    'src/service/bad-12.ts',
    `import { Pin } from '../signing/keys/pin.ts';\nexport const x = Pin;`,
  ],
  [
    'service-through-index',
    'src/http/bad-13.ts',
    `import { ServiceError } from '../service/errors/errors.ts';\nexport const x = ServiceError;`,
  ],
  [
    'nouns-meet-by-index',
    'src/service/users/bad-30.ts',
    `import { createApplications } from '../applications/create-applications.ts';\nexport const x = createApplications;`,
  ],
  [
    'storage-through-index',
    'src/app/bad-14.ts',
    `import { StorageError } from '../storage/errors.ts';\nexport const x = StorageError;`,
  ],
  [
    'network-through-index',
    'src/app/bad-27.ts',
    `import { createHttpClient } from '../network/http-client.ts';\nexport const x = createHttpClient;`,
  ],
  ['electron-in-desktop', 'src/http/bad-15.ts', `import type { App } from 'electron';\nexport type X = App;`],
  ['express-in-http', 'src/app/bad-16.ts', `import type { Express } from 'express';\nexport type X = Express;`],
  ['sqlite-in-storage', 'src/app/bad-17.ts', `const sqlite = await import('node:sqlite');\nexport const x = sqlite;`],
  [
    'sqlite-in-storage',
    'src/service/bad-18.ts',
    `import type { Kysely } from 'kysely';\nexport type X = Kysely<unknown>;`,
  ],
  [
    'keychain-in-secrets',
    'src/app/bad-19.ts',
    `import { AsyncEntry } from '@napi-rs/keyring';\nexport const x = AsyncEntry;`,
  ],
  ['koffi-in-its-files', 'src/signing/keys/pkcs11/bad-20.ts', `import koffi from 'koffi';\nexport const x = koffi;`],
  [
    'pkcs11js-in-tests',
    'src/signing/keys/pkcs11/bad-30.ts',
    `import type { PKCS11 } from 'pkcs11js';\nexport type X = PKCS11;`,
  ],
  [
    'pkcs11-in-host',
    'src/signing/keys/bad-31.ts',
    `import { openBinding } from './pkcs11/cryptoki/open-binding.ts';\nexport const x = openBinding;`,
  ],
  ['forge-for-legacy-pkcs12', 'src/signing/cms/bad-21.ts', `import forge from 'node-forge';\nexport const x = forge;`],
  [
    'object-stores-apart',
    'src/app/bad-stores.ts',
    `import { S3Client } from '@aws-sdk/client-s3';\nexport const x = S3Client;`,
  ],
  [
    'opentelemetry-in-tracing',
    'src/service/bad-42.ts',
    `import { trace } from '@opentelemetry/api';\nexport const x = trace;`,
  ],
  [
    'opentelemetry-is-loaded-late',
    'src/app/bad-43.ts',
    `import { OtlpExporter } from './tracing/otlp-exporter.ts';\nexport const x = OtlpExporter;`,
  ],
  [
    'rights-are-alone',
    'src/rights/bad-44.ts',
    `import { ServiceError } from '../service/errors/index.ts';\nexport const x = ServiceError;`,
  ],
  ['undici-in-network', 'src/app/bad-25.ts', `import { request } from 'undici';\nexport const x = request;`],
  [
    'network-carries-for-signing',
    'src/network/bad-26.ts',
    `import { ServiceError } from '../service/errors/index.ts';\nexport const x = ServiceError;`,
  ],
  [
    'no-test-in-product',
    'src/app/bad-22.ts',
    `import { check } from '../../test/architecture/check.ts';\nexport const x = check;`,
  ],
  [
    'headless-never-reaches-electron',
    'src/app/bad-23.ts',
    `import { x } from '../desktop/bad-24.ts';\nexport const y = x;`,
  ],
  ['host-stays-small', 'src/signing/keys/pkcs11/host.ts', `import '../../cms/index.ts';\n`],
];

/** Files needed by violations, without breaking a rule of their own. */
const helpers: readonly (readonly [file: string, source: string])[] = [
  ['src/signing/loop-b.ts', `import { a } from './loop-a.ts';\nexport const b = () => a;`],
  ['src/desktop/bad-24.ts', `import type { App } from 'electron';\nexport const x = (app: App) => app;`],
];

describe('the layer rules', () => {
  let scratch = '';
  let fired: ReadonlySet<string>;
  let tree: ICruiseResult;

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'sinete-layers-'));
    for (const folder of ['src', 'renderer', 'test/architecture', 'package.json']) {
      await mkdir(dirname(join(scratch, folder)), { recursive: true });
      await cp(join(root, folder), join(scratch, folder), { recursive: true });
    }
    await symlink(join(root, 'node_modules'), join(scratch, 'node_modules'));
    for (const [file, source] of [...violations.map(([, file, source]) => [file, source] as const), ...helpers]) {
      await mkdir(dirname(join(scratch, file)), { recursive: true });
      await writeFile(join(scratch, file), `${source}\n`);
    }
    const { summary } = await cruiseTree(scratch);
    fired = new Set(summary.violations.map((violation) => `${violation.rule.name} ${violation.from}`));
    tree = await cruiseTree(root);
  });

  afterAll(async () => {
    await rm(scratch, { recursive: true, force: true });
  });

  it('allow the present tree', () => {
    const { summary } = tree;
    const reasons = new Map(forbidden.map(({ name, comment }) => [name, comment]));
    const reports = summary.violations.map(
      ({ rule, from, to }) => `${rule.name}: ${from} → ${to}. ${reasons.get(rule.name) ?? ''}`,
    );
    expect(reports).toEqual([]);
    expect(summary.totalCruised).toBeGreaterThan(40);
  });

  it('describe only existing things', () => {
    const { modules } = tree;
    const names = modules.flatMap((module) => [module.source, ...module.dependencies.map(({ resolved }) => resolved)]);
    const dead = forbidden.flatMap((rule) => {
      const from = 'path' in rule.from ? rule.from.path : undefined;
      const patterns = typeof from === 'string' ? [from] : (from ?? []);
      return patterns
        .filter((pattern) => !names.some((name) => new RegExp(pattern).test(name)))
        .map((p) => `${rule.name ?? ''}: ${p}`);
    });
    expect(dead).toEqual([]);
  });

  it('are each broken by an example or more', () => {
    const covered = new Set(violations.map(([rule]) => rule));
    expect(forbidden.map((rule) => rule.name).filter((name) => name === undefined || !covered.has(name))).toEqual([]);
  });

  it.each(violations)('report %s in %s', (rule, file) => {
    expect(fired).toContain(`${rule} ${file}`);
  });
});
