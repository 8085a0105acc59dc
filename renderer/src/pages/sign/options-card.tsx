import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { PenLine } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateView } from '../../../../src/ui-contract/ui-contract.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
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
import { initialOptions, suits, type SignatureType, type SigningOptions } from './signing-options.ts';
import { StampPart } from './stamp-part.tsx';

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
  const [chosen, setOptions] = useState(initialOptions);
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
  const hasPdf = items.some((item) => item.isPdf) && ['PAdES', 'PDFSignature'].includes(options.pdfType);
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
  if (certificates.value !== null && usable.length === 0) return <NoCertificate />;
  return (
    <Section title={t('sign.options')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) begin();
        }}
      >
        <Stack gap="md">
          <CertificateSelect
            certificates={certificates.value ?? []}
            alias={alias}
            onChange={(chosen) => change({ alias: chosen })}
          />
          <Types items={items} options={options} onChange={change} />
          <PolicyPart options={options} onChange={change} />
          {hasPdf ? (
            <StampPart
              options={options}
              onChange={change}
              certificate={certificate}
              items={items.filter((item) => item.isPdf && item.file.size > 0)}
            />
          ) : null}
          <DestinationPart destination={destination} onChange={setDestination} />
          <MoreOptions options={options} onChange={change} hasPdf={hasPdf} />
          <Group justify="flex-end">
            <Button type="submit" size="md" disabled={!ready} leftSection={<PenLine size={18} aria-hidden />}>
              {t('sign.submit', { count })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
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

function MoreOptions({ options, onChange, hasPdf }: OptionPartProps & { readonly hasPdf: boolean }) {
  const { t } = useTranslation();
  return (
    <Unfold text={t('sign.more')} textOpen={t('sign.fewer')} aligned>
      <Stack gap="md">
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
