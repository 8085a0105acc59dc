import type { en } from '../i18n/en/index.ts';
import type { Health, ModuleView } from '../../../src/ui-contract/ui-contract.ts';

/** The kinds of checks with texts of their own. */
export type CheckKind = keyof (typeof en)['doctor']['checks'];

/** A repair that one click starts. */
export type Repair =
  | { readonly kind: 'retry-driver'; readonly id: string }
  | { readonly kind: 'test-server'; readonly id: string }
  | { readonly kind: 'accept-clock' }
  | { readonly kind: 'go-to'; readonly to: 'settings' | 'backups' | 'history' };

/** The result of one check. */
export interface Check {
  readonly id: string;
  readonly kind: CheckKind;
  /** Name of the checked object, if a kind has several checks; otherwise empty. */
  readonly name: string;
  /** `advice` is no fault: most people can sign without the repair. */
  readonly outcome: 'ok' | 'problem' | 'advice';
  readonly finding: HealthCheck['finding'];
  readonly values: HealthCheck['values'];
  readonly repairs: readonly Repair[];
}

type HealthCheck = Health['checks'][number];

const coreKinds = [
  'database',
  'document-store',
  'database-rows',
  'lost-and-found',
  'results',
  'data-folder',
  'secret-store',
  'clock',
  'key-sources',
  'timestamp-servers',
] as const satisfies CheckKind[];

/** The checks of the core, each with its repairs. */
export function checksOfCore(health: Health['checks'], modules: readonly ModuleView[]): readonly Check[] {
  return health.map(({ id, ok, finding, values }) => {
    const colon = id.indexOf(':');
    const rest = colon < 0 ? id : id.slice(colon + 1);
    const shared = { id, outcome: ok ? 'ok' : 'problem', finding, values } as const;
    const prefix = colon < 0 ? '' : id.slice(0, colon);
    if (prefix === 'key-source') {
      if (rest === 'files') return { ...shared, kind: 'key-files', name: '', repairs: [] };
      // The id of a token source contains the id of its driver.
      const driver = rest.replace(/^token:/, '');
      const module = modules.find((one) => one.id === driver);
      const repairs: readonly Repair[] = module === undefined ? [] : [{ kind: 'retry-driver', id: driver }];
      return {
        ...shared,
        kind: 'key-source',
        name: module?.product ?? driver,
        repairs: ok ? [] : [...repairs, toSettings],
      };
    }
    if (prefix === 'timestamp-server') {
      const repairs: readonly Repair[] = [{ kind: 'test-server', id: rest }, toSettings];
      return { ...shared, kind: 'timestamp-server', name: rest, repairs: ok ? [] : repairs };
    }
    const kind = coreKinds.find((one) => one === id) ?? 'other';
    return { ...shared, kind, name: id, repairs: repairsOf[finding] ?? [] };
  });
}

const toSettings: Repair = { kind: 'go-to', to: 'settings' };

/** Repairs of findings that concern the core as a whole. */
const repairsOf: { readonly [Finding in HealthCheck['finding']]?: readonly Repair[] } = {
  'rows-missing': [{ kind: 'go-to', to: 'backups' }],
  'rows-unknown': [{ kind: 'go-to', to: 'backups' }],
  'other-history': [{ kind: 'go-to', to: 'backups' }],
  'database-gone': [{ kind: 'go-to', to: 'backups' }],
  'results-damaged': [
    { kind: 'go-to', to: 'history' },
    { kind: 'go-to', to: 'backups' },
  ],
  'clock-early': [{ kind: 'accept-clock' }],
  'clock-doubted': [{ kind: 'accept-clock' }],
};
