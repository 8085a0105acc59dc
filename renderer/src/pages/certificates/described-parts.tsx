import { useTranslation } from 'react-i18next';
import type { CertificateInspection } from '../../../../src/ui-contract/ui-contract.ts';
import { Field, Fields } from '../../components/page.tsx';
import { Part } from '../../components/part.tsx';
import { groupHex } from '../../format/format.ts';
import classes from './certificates.module.css';

type Described = CertificateInspection['certificate'];

interface DescribedProps {
  readonly certificate: Described;
}

/** ICP-Brasil's data about the person or company, if present. */
export function HolderFields({ certificate: { subject } }: DescribedProps) {
  const { t } = useTranslation();
  const { rg, tituloEleitor: voter } = subject;
  const rows = [
    ['nis', subject.nis],
    ['rg', joined([rg.numero, rg.emissor, rg.uf])],
    [
      'voterId',
      voter.numero === null
        ? null
        : t('certificates.drawer.voterIdText', {
            number: voter.numero,
            zone: voter.zona ?? '–',
            section: voter.secao ?? '–',
            place: joined([voter.municipio, voter.uf]) ?? '–',
          }),
    ],
    ['cei', subject.cei],
    ['company', subject.razaoSocial],
    ['responsible', subject.responsavel],
  ] as const;
  return (
    <>
      {rows.map(([name, value]) =>
        value === null ? null : (
          <Field key={name} name={t(`certificates.drawer.${name}`)}>
            {value}
          </Field>
        ),
      )}
    </>
  );
}

function joined(parts: readonly (string | null)[]): string | null {
  const known = parts.filter((part) => part !== null && part !== '');
  return known.length === 0 ? null : known.join(', ');
}

/** The place of keys of a type (DOC-ICP-04 §6.1.1); other types name no place. */
function keeperOf(type: string): 'software' | 'hardware' | 'other' {
  if (/^[AS]1$|-S$/.test(type)) return 'software';
  return /^[AST][34]$|-H$/.test(type) ? 'hardware' : 'other';
}

/** The certificate's policy; its type tells the place of the key. */
export function PolicyPart({ certificate: { policy } }: DescribedProps) {
  const { t } = useTranslation();
  if (policy.oid === null) return null;
  return (
    <Part title={t('certificates.drawer.policy')}>
      <Fields>
        {policy.type === null ? null : (
          <Field name={t('certificates.drawer.policyType')}>
            {t(`certificates.drawer.policyTypes.${keeperOf(policy.type)}`, { type: policy.type })}
          </Field>
        )}
        {policy.name === null ? null : <Field name={t('certificates.drawer.policyName')}>{policy.name}</Field>}
        <Field name={t('certificates.drawer.policyOid')}>{policy.oid}</Field>
        {policy.dpc === null ? null : <Field name={t('certificates.drawer.dpc')}>{policy.dpc}</Field>}
      </Fields>
    </Part>
  );
}

/** Where revocation lists and the issuer's certificate are, as the certificate says. */
export function SourcesPart({ certificate: { issuer } }: DescribedProps) {
  const { t } = useTranslation();
  if (issuer.crl.length === 0 && issuer.aia === null) return null;
  return (
    <Part title={t('certificates.drawer.sources')}>
      <Fields>
        {issuer.crl.length === 0 ? null : (
          <Field name={t('certificates.drawer.crl')}>
            {issuer.crl.map((address) => (
              <div key={address}>{address}</div>
            ))}
          </Field>
        )}
        {issuer.aia === null ? null : <Field name={t('certificates.drawer.aia')}>{issuer.aia}</Field>}
      </Fields>
    </Part>
  );
}

/** Further names of the certificate and its key. */
export function IdentifierFields({ certificate }: DescribedProps) {
  const { t } = useTranslation();
  const hex = (value: string) => <code className={classes.hex}>{value}</code>;
  return (
    <>
      <Field name={t('certificates.drawer.fingerprintSha1')}>{hex(groupHex(certificate.fingerprint))}</Field>
      {certificate.keyIdentifier === null ? null : (
        <Field name={t('certificates.drawer.keyIdentifier')}>{hex(certificate.keyIdentifier)}</Field>
      )}
      {certificate.issuer.keyIdentifier === null ? null : (
        <Field name={t('certificates.drawer.issuerKeyIdentifier')}>{hex(certificate.issuer.keyIdentifier)}</Field>
      )}
      <Field name={t('certificates.drawer.version')}>{certificate.version}</Field>
    </>
  );
}
