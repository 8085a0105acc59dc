import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { textField } from '../../components/fields/fields.ts';
import type { CertificateView } from '../../../../src/ui-contract/ui-contract.ts';

const storageKey = 'sinete.certificate';

/** Remembers a batch's certificate for the next batch. */
export function rememberCertificate(alias: string): void {
  window.localStorage.setItem(storageKey, alias);
}

/**
 * The certificate to use without a choice: the selected person's default, the last used one, one with legal value, or
 * else a test certificate; the first of each. Null if there is none.
 */
export function certificateFor(usable: readonly CertificateView[], chosen: string): CertificateView | null {
  const last = window.localStorage.getItem(storageKey);
  return (
    usable.find(({ alias }) => alias === chosen) ??
    usable.find(({ isDefault }) => isDefault) ??
    usable.find(({ alias }) => alias === last) ??
    usable.find(({ isTest }) => !isTest) ??
    usable[0] ??
    null
  );
}

interface CertificateSelectProps {
  readonly certificates: readonly CertificateView[];
  readonly alias: string;
  readonly onChange: (alias: string) => void;
}

/** The certificate that signs. Certificates that are not valid are shown, but cannot be chosen. */
export function CertificateSelect({ certificates, alias, onChange }: CertificateSelectProps) {
  const { t } = useTranslation();
  const marksOf = (certificate: CertificateView): string =>
    [
      certificate.taxpayerNumber,
      certificate.isTest ? t('sign.test') : null,
      certificate.revocation === undefined
        ? null
        : t(certificate.revocation.isSuspension ? 'sign.suspended' : 'sign.revoked'),
      certificate.validity === 'expired' ? t('sign.expired') : null,
      certificate.validity === 'not-yet-valid' ? t('sign.notYet') : null,
    ]
      .filter((mark) => mark !== null)
      .join(', ');
  const labelOf = (certificate: CertificateView): string =>
    [certificate.holder, marksOf(certificate)].filter((text) => text !== '').join(' · ');
  const labels = certificates.map(labelOf);
  const choices = certificates.map((certificate) => {
    const label = labelOf(certificate);
    // Certificates of the same person are distinguished by their place, or by their issuer.
    const isUnique = labels.indexOf(label) === labels.lastIndexOf(label);
    return {
      value: certificate.alias,
      label: isUnique ? label : `${label} · ${certificate.token?.label ?? certificate.issuer}`,
      disabled: certificate.validity !== 'valid',
    };
  });
  return (
    <NativeSelect
      label={t('sign.certificate')}
      {...textField(alias, onChange)}
      data={alias === '' ? [{ value: '', label: t('sign.chooseCertificate'), disabled: true }, ...choices] : choices}
    />
  );
}
