import type { DoctorCheckView, DoctorRepairView } from '../../../src/ui-contract/doctor-calls.ts';
import { hrefOf, hrefOfPart } from '../route.ts';
import type { en } from '../i18n/en/index.ts';

/** The area of a finding: each has a title and an explanation. */
type Area = keyof (typeof en)['findings']['areas'];

const areas: Readonly<Record<DoctorCheckView['finding'], Area>> = {
  'tokens-seen': 'tokens',
  'tokens-none': 'tokens',
  'token-without-driver': 'tokens',
  'card-service-stopped': 'tokens',
  'card-service-idle': 'tokens',
  'cards-not-told': 'tokens',
  'drivers-not-callable': 'tokens',
  'drivers-fit': 'drivers',
  'driver-other-width': 'drivers',
  'driver-other-processor': 'drivers',
  'driver-no-library': 'drivers',
  'certificates-good': 'certificates',
  'certificates-none': 'certificates',
  'certificate-expired': 'certificate',
  'certificate-expires': 'certificate',
  'certificate-chain': 'certificate',
  'driver-suggested': 'drivers',
  'trust-none': 'trust',
  'trust-current': 'trust',
  'trust-ended': 'trust',
  'trust-ends': 'trust',
  'policy-list-ended': 'trust',
  'sites-none': 'sites',
  'sites-arrive': 'sites',
  'sites-refused': 'sites',
  'port-usual': 'port',
  'port-other': 'port',
  'port-chosen': 'port',
  'clock-agrees': 'clock',
  'clock-differs': 'clock',
  'clock-not-compared': 'clock',
  'secrets-kept': 'secrets',
  'secrets-in-memory': 'secrets',
  'secrets-in-memory-windows': 'secrets',
  'secrets-in-memory-macos': 'secrets',
  'proxy-answers': 'proxy',
  'proxy-silent': 'proxy',
  'database-whole': 'database',
  'database-aside': 'database',
  'renewals-current': 'renewals',
  'renewals-due': 'renewals',
  'renewals-failed': 'renewals',
  'renewals-missing': 'renewals',
  'store-answers': 'store',
  'store-silent': 'store',
  'not-examined': 'other',
};

/** The area of a finding. */
export function areaOf({ finding }: Pick<DoctorCheckView, 'finding'>): Area {
  return areas[finding];
}

/** The address of the page that a repair opens, including the part of the page. */
export function addressOf({ finding }: Pick<DoctorCheckView, 'finding'>, page: OpenRepair['page']): string {
  if (page !== 'settings') return hrefOf(page);
  const area = areas[finding];
  if (area === 'proxy' || area === 'store') return hrefOfPart('network');
  return area === 'database' ? hrefOfPart('data') : hrefOfPart('keys');
}

type OpenRepair = Extract<DoctorRepairView, { readonly kind: 'open' }>;

const told = [
  'token-without-driver',
  'card-service-stopped',
  'drivers-not-callable',
  'driver-other-width',
  'driver-other-processor',
  'driver-no-library',
  'certificates-none',
  'certificate-expired',
  'certificate-expires',
  'certificate-chain',
  'driver-suggested',
  'trust-none',
  'trust-ended',
  'trust-ends',
  'policy-list-ended',
  'sites-refused',
  'port-other',
  'port-chosen',
  'clock-differs',
  'secrets-in-memory',
  'secrets-in-memory-windows',
  'secrets-in-memory-macos',
  'proxy-silent',
  'database-aside',
  'renewals-due',
  'renewals-failed',
  'renewals-missing',
  'store-silent',
  'not-examined',
] as const satisfies (keyof (typeof en)['findings']['remedies'])[];

/** The key of the remedy's text; null without a remedy. */
export function remedyOf({ finding }: Pick<DoctorCheckView, 'finding'>): (typeof told)[number] | null {
  return told.find((one) => one === finding) ?? null;
}
