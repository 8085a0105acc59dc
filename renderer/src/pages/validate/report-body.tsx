import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ValidationView } from '../../../../src/ui-contract/ui-contract.ts';
import { Notice } from '../../components/notice.tsx';
import { Part } from '../../components/part.tsx';
import { Mark } from '../../components/status.tsx';
import { Unfold } from '../../components/unfold.tsx';
import { formatInstant } from '../../format/format.ts';
import { Light } from '../../components/light.tsx';
import { Chain, Changes, Checks, ReportRows } from './report-parts.tsx';
import classes from './validate.module.css';

type Report = ValidationView['report'];
type Signature = Report['signatures'][number];
type Timestamp = Report['documentTimestamps'][number];

interface ReportBodyProps {
  readonly report: Report;
  /** Only PDFs can be changed without breaking their signature. */
  readonly isPdf: boolean;
  /** Saves the first bytes of the PDF, the document as it was signed, under this name. */
  readonly onSaveSigned?: SaveSigned;
  /** Compares the first bytes of the PDF, the document as it was signed, with the whole file. */
  readonly onCompare?: Compare;
}

type SaveSigned = (size: number, name: string) => void;
type Compare = (size: number, signer: string) => void;

/** A report, signature by signature: verdict and reason first, details on demand. */
export function ReportBody({ report, isPdf, onSaveSigned, onCompare }: ReportBodyProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="md" lang={report.language}>
      <ul className={classes.signatures} aria-label={t('validate.signatures', { count: report.signatures.length })}>
        {report.signatures.map((signature) => (
          <SignatureEntry key={signature.id} {...{ signature, isPdf }} {...{ onSaveSigned, onCompare }} />
        ))}
      </ul>
      {report.documentTimestamps.length === 0 ? null : (
        <Timestamps title={t('validate.documentTimestamps')} timestamps={report.documentTimestamps} />
      )}
      {report.remarks.length === 0 ? null : (
        <Part order={4} title={t('validate.remarks')}>
          <Checks checks={report.remarks} />
        </Part>
      )}
      <Details title={t('validate.aboutFile')} name={t('validate.aboutFile')}>
        <ReportRows rows={report.rows} />
      </Details>
    </Stack>
  );
}

interface DetailsProps {
  readonly title: string;
  readonly name: string;
  readonly children: ReactNode;
}

/** Content that can be unfolded. */
function Details({ title, name, children }: DetailsProps) {
  return (
    <Unfold text={title} textOpen={title} name={name} aligned>
      {children}
    </Unfold>
  );
}

interface SignatureProps {
  readonly signature: Signature;
  readonly isPdf: boolean;
  readonly onSaveSigned?: SaveSigned;
  readonly onCompare?: Compare;
}

function SignatureEntry({ signature, isPdf, onSaveSigned, onCompare }: SignatureProps) {
  const { t } = useTranslation();
  const name = signature.holder ?? signature.title;
  return (
    <li className={classes.signature}>
      <Light indication={signature.indication} changed={signature.changedSince} size="small" />
      <div className={classes.signatureText}>
        <Title order={3} size="h4" className={classes.wrap}>
          {signature.title}
        </Title>
        <Text>
          <strong>{signature.verdict}.</strong> {signature.sentence}
        </Text>
        <Group gap={6} my={6}>
          <SignatureMarks signature={signature} />
        </Group>
        <ChangedSince signature={signature} {...{ onSaveSigned, onCompare }} />
        {signature.hint === null ? null : (
          <div className={classes.hint}>
            <Notice kind="information" title={t('validate.longer')}>
              {signature.hint}
            </Notice>
          </div>
        )}
        <Details title={t('validate.details')} name={t('validate.detailsOf', { name })}>
          <SignatureDetails signature={signature} isPdf={isPdf} />
        </Details>
      </div>
    </li>
  );
}

/** A change after the signature that the signature does not allow: the signed version is needed most here. */
const isForged = ({ checks, signedSize }: Signature): boolean =>
  signedSize !== null && checks.some(({ code }) => code === 'PDF_CHANGES_NOT_ALLOWED');

/** The changes that came after the signature, with a button that opens the document as it was signed. */
function ChangedSince({
  signature,
  onSaveSigned,
  onCompare,
}: Pick<SignatureProps, 'signature' | 'onSaveSigned' | 'onCompare'>) {
  const { t } = useTranslation();
  const { changes, changedSince, allowedBy, signedSize, holder, title } = signature;
  if (!changedSince && !isForged(signature)) return null;
  const name = holder ?? title;
  return (
    <Notice kind="warning" title={t('validate.changedSince')}>
      <ul className={classes.checks}>
        {changes
          .filter(({ isShown }) => isShown)
          .map(({ text, code }, index) => (
            <li key={`${code} ${index}`}>{text}</li>
          ))}
      </ul>
      {allowedBy === null ? null : <Text size="sm">{allowedBy}</Text>}
      {signedSize === null || onCompare === undefined ? null : (
        <Button
          size="xs"
          variant="default"
          mt={6}
          mr={6}
          aria-label={t('validate.compareNamed', { name })}
          onClick={() => onCompare(signedSize, name)}
        >
          {t('validate.compare')}
        </Button>
      )}
      {signedSize === null || onSaveSigned === undefined ? null : (
        <Button
          size="xs"
          variant="default"
          mt={6}
          aria-label={t('validate.saveSignedNamed', { name })}
          onClick={() => onSaveSigned(signedSize, t('validate.signedFile', { id: signature.id }))}
        >
          {t('validate.saveSigned')}
        </Button>
      )}
    </Notice>
  );
}

function SignatureMarks({ signature }: { readonly signature: Signature }) {
  const { t } = useTranslation();
  const { hierarchy, level, taxpayerNumber } = signature;
  return (
    <>
      {hierarchy === null ? null : (
        <Mark tone={hierarchy === 'test' ? 'warning' : 'accent'} icon={hierarchy === 'test' ? 'test' : 'star'}>
          {t(`validate.hierarchy.${hierarchy}`)}
        </Mark>
      )}
      {level === null ? null : (
        <Mark tone="neutral" icon="idle">
          {level}
        </Mark>
      )}
      {taxpayerNumber === null ? null : (
        <Text size="sm" c="dimmed" component="span">
          {t('validate.masked', { number: taxpayerNumber })}
        </Text>
      )}
    </>
  );
}

function SignatureDetails({ signature, isPdf }: SignatureProps) {
  const { t } = useTranslation();
  const { rows, checks, chain, timestamps, changes, counterSignatures } = signature;
  return (
    <Stack gap="lg">
      <Part order={4} title={t('validate.checks')}>
        <Checks checks={checks} />
      </Part>
      <Part order={4} title={t('validate.about')}>
        <ReportRows rows={rows} />
      </Part>
      <Part order={4} title={t('validate.chain')}>
        <Chain chain={chain} />
      </Part>
      {timestamps.length === 0 ? null : <Timestamps title={t('validate.timestamps')} timestamps={timestamps} />}
      {isPdf ? (
        <Part order={4} title={t('validate.changes')}>
          <Changes changes={changes} />
        </Part>
      ) : null}
      {counterSignatures.length === 0 ? null : (
        <Part order={4} title={t('validate.counterSignatures')}>
          <ul className={classes.signatures}>
            {counterSignatures.map((one) => (
              <SignatureEntry key={one.id} signature={one} isPdf={false} />
            ))}
          </ul>
        </Part>
      )}
    </Stack>
  );
}

function Timestamps({ title, timestamps }: { readonly title: string; readonly timestamps: readonly Timestamp[] }) {
  const { t, i18n } = useTranslation();
  return (
    <Part order={4} title={title}>
      <ul className={classes.signatures}>
        {timestamps.map((timestamp, index) => (
          <li key={`${timestamp.time ?? ''} ${index}`} className={classes.signature}>
            <Light indication={timestamp.indication} size="small" />
            <div className={classes.signatureText}>
              <Text fw={550}>{timestamp.title}</Text>
              <Text>
                <strong>{timestamp.verdict}.</strong> {timestamp.sentence}
              </Text>
              <Text size="sm" c="dimmed" mb={6}>
                {[
                  ...(timestamp.time === null ? [] : [formatInstant(timestamp.time, i18n.language)]),
                  ...(timestamp.authority === null ? [] : [t('validate.timestampBy', { name: timestamp.authority })]),
                ].join(', ')}
              </Text>
              <Checks checks={timestamp.checks.filter(({ outcome }) => outcome !== 'passed')} />
              <Chain chain={timestamp.chain} />
            </div>
          </li>
        ))}
      </ul>
    </Part>
  );
}
