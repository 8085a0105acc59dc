import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CertificateInspection } from '../../../../src/ui-contract/ui-contract.ts';
import { Mark } from '../../components/status.tsx';
import classes from './certificates.module.css';

/** The core's finding about an aspect of a certificate. */
interface Finding {
  readonly aspect: 'date' | 'crl' | 'trust';
  readonly status: boolean;
  /** An information code of the interface. */
  readonly code: number;
}

/** NOT_DETERMINED of the interface's information codes. */
const notDetermined = 1193;

/** A finding's title, and its reason with the remedy, in the language of the window. */
function useWording(
  { aspect, status, code }: Finding,
  hierarchy: CertificateInspection['certificate']['hierarchy'],
): { readonly state: 'good' | 'bad' | 'unknown'; readonly sentence: string } {
  const { t } = useTranslation();
  const codes = (key: 'dateGood' | 'dateBad' | 'crlGood' | 'crlBad' | 'crlUnknown' | 'trustBad'): string =>
    t(`certificates.inspection.codes.${key}`);
  switch (aspect) {
    case 'date':
      return status ? { state: 'good', sentence: codes('dateGood') } : { state: 'bad', sentence: codes('dateBad') };
    case 'crl':
      if (status) return { state: 'good', sentence: codes('crlGood') };
      return code === notDetermined
        ? { state: 'unknown', sentence: codes('crlUnknown') }
        : { state: 'bad', sentence: codes('crlBad') };
    case 'trust': {
      if (!status) return { state: 'bad', sentence: codes('trustBad') };
      const name = t(`validate.hierarchy.${hierarchy ?? 'other'}`);
      return { state: 'good', sentence: t('certificates.inspection.codes.trustGood', { hierarchy: name }) };
    }
  }
}

const aspects = ['date', 'crl', 'trust'] as const;

const looks = {
  good: { tone: 'good', icon: 'good' },
  bad: { tone: 'bad', icon: 'bad' },
  unknown: { tone: 'warning', icon: 'warning' },
} as const;

/** Whether a certificate is good now, each aspect with its reason. */
export function InspectionPart({ inspection }: { readonly inspection: CertificateInspection }) {
  return (
    <ul className={classes.findings}>
      {aspects.map((aspect) => (
        <FindingRow key={aspect} finding={{ ...inspection.detail[aspect], aspect }} inspection={inspection} />
      ))}
    </ul>
  );
}

function FindingRow({
  finding,
  inspection,
}: {
  readonly finding: Finding;
  readonly inspection: CertificateInspection;
}) {
  const { t } = useTranslation();
  const { state, sentence } = useWording(finding, inspection.certificate.hierarchy);
  return (
    <li>
      <div className={classes.findingHead}>
        <Text fw={550} size="sm">
          {t(`certificates.inspection.${finding.aspect}`)}
        </Text>
        <Mark {...looks[state]}>{t(`certificates.inspection.${state}`)}</Mark>
      </div>
      <Text size="sm">{sentence}</Text>
    </li>
  );
}
