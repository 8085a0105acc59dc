import { Button, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { PenLine } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateView } from '../../../../src/ui-contract/ui-contract.ts';
import { AcceptanceNotice } from '../../components/signing-notes.tsx';
import { Notice } from '../../components/notice.tsx';
import { RowsPlaceholder, Section } from '../../components/page.tsx';
import { Unfold } from '../../components/unfold.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import { useSigningDesk } from './use-signing-desk.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { nameOfDigest } from '../../format/digest.ts';
import { hrefOf } from '../../route.ts';
import type { OptionPartProps } from './option-part.ts';
import { placeOfResults, usualDestination, type Destination } from './destination.ts';
import { DestinationPart } from './destination-part.tsx';
import { PdfPart } from './pdf-part.tsx';
import { certificateFor, rememberCertificate } from './last-certificate.ts';
import { PolicyPart } from './policy-part.tsx';
import type { DeskItem } from './desk-state.ts';
import {
  initialOptions,
  lookOf,
  showsStamp,
  suits,
  type SignatureType,
  type SigningOptions,
} from './signing-options.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { late } from '../../late.tsx';
import { initialsSize, initialsText } from './stamp-options.ts';
import { StampPart } from './stamp-part.tsx';
import { useStampDrawing } from './stamp/use-stamp-drawing.ts';
import classes from './sign.module.css';

/** Loaded for PDFs only. */
const ReviewDesk = late(async () => (await import('./review/review-desk.tsx')).ReviewDesk);

const pdfTypes = ['PAdES', 'PDFSignature', 'CAdES-detached', 'CAdES-attached'] as const satisfies SignatureType[];
const otherTypes = [
  'CAdES-detached',
  'CAdES-attached',
  'CMS-detached',
  'CMS-attached',
] as const satisfies SignatureType[];
const digests = ['sha256', 'sha384', 'sha512'] as const satisfies SigningOptions['digest'][];

/** The chosen type, or the first type that the level allows. */
function typeThatSuits(types: readonly SignatureType[], chosen: SignatureType, options: SigningOptions): SignatureType {
  return suits(chosen, options.policy) ? chosen : (types.find((type) => suits(type, options.policy)) ?? chosen);
}

/** The options of the signatures, and the start button. Defaults are right for most; the rest is folded. */
export function OptionsCard({ items }: { readonly items: readonly DeskItem[] }) {
  const { t } = useTranslation();
  const desk = useSigningDesk();
  const { bridge } = useCore();
  const certificates = useQuery('certificates.list', {});
  const [chosen, setOptions] = useState(() => desk.lastOptions() ?? initialOptions);
  const language = useLanguage();
  const archive = useQuery('archive.read', { language });
  const [otherDestination, setDestination] = useState<Destination | null>(null);
  const destination = otherDestination ?? usualDestination(archive.value, bridge.desktop !== null);
  const change = (part: Partial<SigningOptions>): void => setOptions((before) => ({ ...before, ...part }));
  const options = {
    ...chosen,
    pdfType: typeThatSuits(pdfTypes, chosen.pdfType, chosen),
    otherType: typeThatSuits(otherTypes, chosen.otherType, chosen),
  };
  const usable = certificates.value?.filter((certificate) => certificate.validity === 'valid') ?? [];
  const alias = certificateFor(usable, options.alias)?.alias ?? '';
  const certificate = usable.find((one) => one.alias === alias) ?? null;
  const count = items.filter((item) => item.file.size > 0).length;
  const hasPdf = items.some((item) => item.isPdf) && showsStamp(options.pdfType);
  const lacksFolder = destination.kind === 'folder' && destination.path === '';
  const ready = alias !== '' && count > 0 && !lacksFolder;
  const begin = (): void => {
    const { stamp } = options;
    if (hasPdf && stamp !== null) {
      const { page, position, template } = stamp;
      void bridge.call('stamps.keepPlace', { alias, place: { page, ...position, template } });
    }
    rememberCertificate(alias);
    void desk.start({ ...options, alias, place: placeOfResults(destination, language) });
  };
  const errorText = useErrorText();
  const drawings = useDrawings(options, alias);
  if (certificates.value !== null && usable.length === 0) return <NoCertificate />;
  return (
    <Section title={t('sign.options')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) begin();
        }}
      >
        <div className={classes.review} data-pages={hasPdf}>
          {hasPdf ? (
            <Suspense fallback={<RowsPlaceholder />}>
              <ReviewDesk
                items={items.filter((item) => item.isPdf && item.file.size > 0)}
                stamp={options.stamp}
                onStamp={(stamp) => change({ stamp })}
                drawing={drawings.stamp.page}
                initials={options.stamp?.initials === true ? drawings.initials.page : null}
                password={options.password}
                onPassword={(password) => change({ password })}
              />
            </Suspense>
          ) : null}
          <Stack gap="md" className={classes.choices}>
            <CertificateSelect
              certificates={certificates.value ?? []}
              alias={alias}
              onChange={(chosen) => change({ alias: chosen })}
            />
            <AcceptanceNotice certificate={certificate} />
            {hasPdf ? (
              <StampPart
                options={options}
                onChange={change}
                certificate={certificate}
                error={drawings.stamp.error === null ? null : errorText(drawings.stamp.error)}
              />
            ) : null}
            <DestinationPart destination={destination} onChange={setDestination} />
            <MoreOptions items={items} options={options} onChange={change} hasPdf={hasPdf} />
          </Stack>
        </div>
        <div className={classes.submit}>
          <Text size="sm" c="dimmed" className={classes.cut}>
            {certificate?.holder ?? ''}
          </Text>
          <Button type="submit" size="md" disabled={!ready} leftSection={<PenLine size={18} aria-hidden />}>
            {t('sign.submit', { count })}
          </Button>
        </div>
      </form>
    </Section>
  );
}

/** The stamp and the initials as the core draws them for this certificate. */
function useDrawings({ stamp, reason, location }: SigningOptions, alias: string) {
  const isAsked = stamp !== null && alias !== '';
  const texts = { ...(reason === '' ? {} : { reason }), ...(location === '' ? {} : { location }) };
  const { width, height } = stamp?.position ?? initialsSize;
  const shown = useStampDrawing(isAsked ? { alias, width, height, ...lookOf(stamp), ...texts } : null);
  const initials = useStampDrawing(isAsked && stamp.initials ? { alias, ...initialsSize, text: initialsText } : null);
  return { stamp: shown, initials };
}

function NoCertificate() {
  const { t } = useTranslation();
  return (
    <Notice kind="warning">
      <Text mb="xs">{t('sign.noCertificate')}</Text>
      <Button component="a" href={hrefOf('certificates')} size="xs">
        {t('sign.addCertificate')}
      </Button>
    </Notice>
  );
}

interface CertificateSelectProps {
  readonly certificates: readonly CertificateView[];
  readonly alias: string;
  readonly onChange: (alias: string) => void;
}

function CertificateSelect({ certificates, alias, onChange }: CertificateSelectProps) {
  const { t } = useTranslation();
  const marksOf = (certificate: CertificateView): string =>
    [
      certificate.taxpayerNumber,
      certificate.isTest ? t('sign.test') : null,
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
    // A person's certificates are distinguished by their place, or by their issuer.
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
      value={alias}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={alias === '' ? [{ value: '', label: t('sign.chooseCertificate'), disabled: true }, ...choices] : choices}
    />
  );
}

function Types({ items, options, onChange }: OptionPartProps & { readonly items: readonly DeskItem[] }) {
  const { t } = useTranslation();
  const hasPdf = items.some((item) => item.isPdf);
  const hasOther = items.some((item) => !item.isPdf);
  const typeChoices = (types: readonly SignatureType[]) =>
    types.map((type) => ({
      value: type,
      label: t(`sign.types.${type}`),
      disabled: !suits(type, options.policy),
    }));
  return (
    <SimpleGrid cols={{ base: 1, sm: hasPdf && hasOther ? 2 : 1 }}>
      {hasPdf ? (
        <NativeSelect
          label={t('sign.pdfType')}
          value={options.pdfType}
          data={typeChoices(pdfTypes)}
          onChange={(event) => {
            const chosen = pdfTypes.find((type) => type === event.currentTarget.value);
            if (chosen !== undefined) onChange({ pdfType: chosen });
          }}
        />
      ) : null}
      {hasOther ? (
        <NativeSelect
          label={t('sign.otherType')}
          value={options.otherType}
          data={typeChoices(otherTypes)}
          onChange={(event) => {
            const chosen = otherTypes.find((type) => type === event.currentTarget.value);
            if (chosen !== undefined) onChange({ otherType: chosen });
          }}
        />
      ) : null}
    </SimpleGrid>
  );
}

interface MoreOptionsProps extends OptionPartProps {
  readonly items: readonly DeskItem[];
  readonly hasPdf: boolean;
}

/** The second step: options that most people leave as they are. */
function MoreOptions({ items, options, onChange, hasPdf }: MoreOptionsProps) {
  const { t } = useTranslation();
  return (
    <Unfold text={t('sign.more')} textOpen={t('sign.fewer')} aligned>
      <Stack gap="md">
        <PolicyPart options={options} onChange={onChange} />
        <Types items={items} options={options} onChange={onChange} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={`${t('sign.reason')} (${t('common.optional')})`}
            description={t('sign.reasonHelp')}
            maxLength={500}
            value={options.reason}
            onChange={(event) => onChange({ reason: event.currentTarget.value })}
          />
          <TextInput
            label={`${t('sign.location')} (${t('common.optional')})`}
            description={t('sign.reasonHelp')}
            maxLength={500}
            value={options.location}
            onChange={(event) => onChange({ location: event.currentTarget.value })}
          />
          <TextInput
            label={`${t('signOptions.claimedRole')} (${t('common.optional')})`}
            description={t('signOptions.claimedRoleHelp')}
            maxLength={200}
            value={options.claimedRole}
            onChange={(event) => onChange({ claimedRole: event.currentTarget.value })}
          />
        </SimpleGrid>
        {hasPdf ? <PdfPart options={options} onChange={onChange} /> : null}
        <NativeSelect
          label={t('sign.digest')}
          description={t('sign.digestHelp')}
          value={options.digest}
          data={digests.map((digest) => ({ value: digest, label: nameOfDigest(digest) }))}
          onChange={(event) => {
            const chosen = digests.find((digest) => digest === event.currentTarget.value);
            if (chosen !== undefined) onChange({ digest: chosen });
          }}
        />
      </Stack>
    </Unfold>
  );
}
