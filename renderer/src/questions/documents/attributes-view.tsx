import { useTranslation } from 'react-i18next';
import type { OriginalInspection } from '../../../../src/ui-contract/ui-contract.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { formatInstant, groupHex } from '../../format/format.ts';
import classes from './documents.module.css';

interface AttributesViewProps {
  readonly attributes: NonNullable<OriginalInspection['signedAttributes']>;
}

/** Bytes to sign that are the signed attributes of a CMS signature: their statements, in words. */
export function AttributesView({ attributes }: AttributesViewProps) {
  const { t, i18n } = useTranslation();
  const { contentHash, signingTime, namesCertificate, policy } = attributes;
  const certificate = namesCertificate === undefined ? 'none' : namesCertificate ? 'own' : 'another';
  return (
    <div className={classes.hashView}>
      <Notice kind="warning" title={t('approval.attributes.title')}>
        {t('approval.attributes.text')}
      </Notice>
      <dl className={classes.facts}>
        <div>
          <dt>{t('approval.attributes.contentHash')}</dt>
          <dd>
            <span className={classes.checksumLine}>
              <span className={classes.checksum}>{groupHex(contentHash)}</span>
              <CopyButton text={contentHash} name={t('approval.attributes.contentHash')} />
            </span>
          </dd>
        </div>
        {signingTime === undefined ? null : (
          <div>
            <dt>{t('approval.attributes.time')}</dt>
            <dd>{formatInstant(signingTime, i18n.language)}</dd>
          </div>
        )}
        <div>
          <dt>{t('approval.attributes.certificate')}</dt>
          <dd>{t(`approval.attributes.names.${certificate}`)}</dd>
        </div>
        {policy === undefined ? null : (
          <div>
            <dt>{t('approval.attributes.policy')}</dt>
            <dd>{policy}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
