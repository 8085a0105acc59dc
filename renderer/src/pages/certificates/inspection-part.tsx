import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CertificateInspection } from '../../../../src/ui-contract/ui-contract.ts';
import { Mark } from '../../components/status.tsx';
import { useWording, type Finding } from './finding-words.ts';
import classes from './certificates.module.css';

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
