import { useTranslation } from 'react-i18next';
import type { CertificateView } from '../../../../src/ui-contract/ui-contract.ts';
import { useCore } from '../../data/core-context.ts';
import { useFinish } from '../../components/use-finish.ts';

/** Immediate actions on a certificate; each reports its outcome. */
export interface CertificateActions {
  readonly setDefault: () => Promise<void>;
  readonly lock: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** The actions of a certificate. */
export function useCertificateActions(certificate: CertificateView): CertificateActions {
  const { bridge } = useCore();
  const { t } = useTranslation();
  const { alias, holder } = certificate;
  const finish = useFinish('certificates.list', 'certificates.describe', 'tokens.list', 'home.read');
  return {
    setDefault: async () =>
      finish(
        await bridge.call('certificates.setDefault', { alias }),
        t('certificates.becameDefault', { name: holder }),
      ),
    lock: async () => finish(await bridge.call('certificates.lock', { alias }), t('certificates.lockedNow')),
    remove: async () => finish(await bridge.call('certificates.remove', { alias }), t('certificates.removed')),
  };
}
