import { Button, Collapse, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { ChevronDown, PenLine } from 'lucide-react';
import { useId, useState, type Dispatch } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateView } from '../../../src/ui-contract/ui-contract.ts';
import { Notice } from '../components/notice.tsx';
import { Section } from '../components/page.tsx';
import { useCore, useQuery } from '../data/core-context.ts';
import { hrefOf } from '../shell/route.ts';
import classes from './sign.module.css';
import type { DeskItem, SignatureType, SigningOptions } from './signing-desk.ts';

const pdfTypes = ['PAdES', 'PDFSignature', 'CAdES-detached', 'CAdES-attached'] as const satisfies SignatureType[];
const otherTypes = [
  'CAdES-detached',
  'CAdES-attached',
  'CMS-detached',
  'CMS-attached',
] as const satisfies SignatureType[];
const digests = ['sha256', 'sha384', 'sha512'] as const satisfies SigningOptions['digest'][];

const initial: SigningOptions = {
  alias: '',
  pdfType: 'PAdES',
  otherType: 'CAdES-detached',
  digest: 'sha256',
  reason: '',
  location: '',
};

/** How the files are signed, and the button that begins. Defaults are right for most; the rest is folded away. */
export function OptionsCard({ items }: { readonly items: readonly DeskItem[] }) {
  const { t } = useTranslation();
  const { desk } = useCore();
  const certificates = useQuery('certificates.list', {});
  const [options, setOptions] = useState(initial);
  const change = (part: Partial<SigningOptions>): void => setOptions((before) => ({ ...before, ...part }));
  const usable = certificates.value?.filter((certificate) => certificate.validity === 'valid') ?? [];
  const fallback = usable.find((certificate) => certificate.isDefault) ?? (usable.length === 1 ? usable[0] : undefined);
  const alias = usable.some((certificate) => certificate.alias === options.alias)
    ? options.alias
    : (fallback?.alias ?? '');
  const count = items.filter((item) => item.file.size > 0).length;
  if (certificates.value !== null && usable.length === 0) return <NoCertificate />;
  return (
    <Section title={t('sign.options')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (alias !== '' && count > 0) void desk.start({ ...options, alias });
        }}
      >
        <Stack gap="md">
          <CertificateSelect
            certificates={certificates.value ?? []}
            alias={alias}
            onChange={(chosen) => change({ alias: chosen })}
          />
          <Types items={items} options={options} onChange={change} />
          <MoreOptions options={options} onChange={change} />
          <Group justify="flex-end">
            <Button
              type="submit"
              size="md"
              disabled={alias === '' || count === 0}
              leftSection={<PenLine size={18} aria-hidden />}
            >
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
  const choices = certificates.map((certificate) => ({
    value: certificate.alias,
    label: [certificate.holder, marksOf(certificate)].filter((text) => text !== '').join(' · '),
    disabled: certificate.validity !== 'valid',
  }));
  return (
    <NativeSelect
      label={t('sign.certificate')}
      value={alias}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={alias === '' ? [{ value: '', label: t('sign.chooseCertificate'), disabled: true }, ...choices] : choices}
    />
  );
}

interface OptionPartProps {
  readonly options: SigningOptions;
  readonly onChange: Dispatch<Partial<SigningOptions>>;
}

function Types({ items, options, onChange }: OptionPartProps & { readonly items: readonly DeskItem[] }) {
  const { t } = useTranslation();
  const hasPdf = items.some((item) => item.isPdf);
  const hasOther = items.some((item) => !item.isPdf);
  return (
    <SimpleGrid cols={{ base: 1, sm: hasPdf && hasOther ? 2 : 1 }}>
      {hasPdf ? (
        <NativeSelect
          label={t('sign.pdfType')}
          value={options.pdfType}
          data={pdfTypes.map((type) => ({ value: type, label: t(`sign.types.${type}`) }))}
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
          data={otherTypes.map((type) => ({ value: type, label: t(`sign.types.${type}`) }))}
          onChange={(event) => {
            const chosen = otherTypes.find((type) => type === event.currentTarget.value);
            if (chosen !== undefined) onChange({ otherType: chosen });
          }}
        />
      ) : null}
    </SimpleGrid>
  );
}

function MoreOptions({ options, onChange }: OptionPartProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        aria-expanded={open}
        aria-controls={id}
        rightSection={<ChevronDown size={16} aria-hidden className={classes.chevron} data-open={open} />}
        onClick={() => setOpen(!open)}
      >
        {open ? t('sign.fewer') : t('sign.more')}
      </Button>
      <Collapse expanded={open} id={id}>
        <Stack gap="md" pt="sm">
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
          </SimpleGrid>
          <NativeSelect
            label={t('sign.digest')}
            description={t('sign.digestHelp')}
            value={options.digest}
            data={digests.map((digest) => ({ value: digest, label: digest.toUpperCase().replace('SHA', 'SHA-') }))}
            onChange={(event) => {
              const chosen = digests.find((digest) => digest === event.currentTarget.value);
              if (chosen !== undefined) onChange({ digest: chosen });
            }}
          />
        </Stack>
      </Collapse>
    </div>
  );
}
