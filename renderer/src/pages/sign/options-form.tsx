import { Button, Stack, Text } from '@mantine/core';
import { PenLine } from '../../components/icons/index.ts';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/notice.tsx';
import type { Size } from '../../components/pdf/page-size.ts';
import { RowsPlaceholder, Section } from '../../components/page.tsx';
import { AcceptanceNotice } from '../../components/signing-notes.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { late } from '../../late.tsx';
import { hrefOf } from '../../route.ts';
import { coSigningOf } from './co-signing.ts';
import { CoSigningPart } from './co-signing-part.tsx';
import { CertificateSelect, certificateFor, rememberCertificate } from './certificate-select.tsx';
import type { DeskItem } from './desk-state.ts';
import { placeOfResults } from './destination.ts';
import { DestinationPart, useDestination } from './destination-part.tsx';
import { MoreOptions } from './more-options.tsx';
import {
  initialOptions,
  lookOf,
  showsStamp,
  withTypesThatSuit,
  type OptionPartProps,
  type SigningOptions,
} from './signing-options.ts';
import { initialsSize, textOfInitials } from './stamp-options.ts';
import { StampPart } from './stamp-part.tsx';
import { useStampDrawing, type StampDrawing } from './stamp/use-stamp-drawing.ts';
import { useSigningDesk } from './use-signing-desk.ts';
import classes from './sign.module.css';

/** Loaded for PDFs only. */
const ReviewDesk = late(async () => (await import('./review/review-desk.tsx')).ReviewDesk);

interface OptionsFormProps {
  readonly items: readonly DeskItem[];
  /** The list of the files, above the options: the button stays in sight beside both. */
  readonly children: ReactNode;
}

/** The options of the signatures, and the start button. Defaults are right for most; the rest is folded. */
export function OptionsForm({ items, children }: OptionsFormProps) {
  const { t } = useTranslation();
  const { options, change } = useOptions();
  const certificates = useQuery('certificates.list', {}).value;
  const usable = certificates?.filter(({ validity }) => validity === 'valid') ?? [];
  const certificate = certificateFor(usable, options.alias);
  const alias = certificate?.alias ?? '';
  const { destination, isKnown, choose } = useDestination();
  const language = useLanguage();
  const drawings = useDrawings(options, alias);
  const start = useStart();
  const isBeside = options.beside && coSigningOf(items) !== null;
  const count = isBeside ? 1 : items.filter(({ file }) => file.size > 0).length;
  const hasPdf = items.some(({ isPdf }) => isPdf) && showsStamp(options.pdfType);
  const lacksFolder = destination.kind === 'folder' && destination.path === '';
  const ready = certificate !== null && count > 0 && isKnown && !lacksFolder;
  if (certificates !== null && usable.length === 0) {
    return (
      <>
        {children}
        <NoCertificate />
      </>
    );
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) start({ ...options, alias, place: placeOfResults(destination, language) }, hasPdf);
      }}
    >
      {children}
      <Section title={t('sign.options')}>
        <div className={classes.review} data-pages={hasPdf}>
          {hasPdf ? <Pages items={items} options={options} onChange={change} drawings={drawings} /> : null}
          <Stack gap="md" className={classes.choices}>
            <CertificateSelect
              certificates={certificates ?? []}
              alias={alias}
              onChange={(chosen) => change({ alias: chosen })}
            />
            <AcceptanceNotice certificate={certificate} />
            <CoSigningPart items={items} options={options} onChange={change} />
            {hasPdf ? (
              <StampPart options={options} onChange={change} certificate={certificate} error={drawings.stamp.error} />
            ) : null}
            <DestinationPart destination={destination} onChange={choose} />
            <MoreOptions items={items} options={options} onChange={change} hasPdf={hasPdf} />
          </Stack>
        </div>
      </Section>
      <SubmitLine holder={certificate?.holder ?? ''} count={count} ready={ready} />
    </form>
  );
}

/** The options of the last batch, or else the defaults, until they are changed. */
function useOptions() {
  const desk = useSigningDesk();
  const [chosen, setChosen] = useState(() => desk.lastOptions() ?? initialOptions);
  const change = (part: Partial<SigningOptions>): void => setChosen((before) => ({ ...before, ...part }));
  return { options: withTypesThatSuit(chosen), change };
}

/** Starts the batch, and remembers its certificate and the place of its stamp for the next batch. */
function useStart(): (options: SigningOptions, hasPdf: boolean) => void {
  const desk = useSigningDesk();
  const { bridge } = useCore();
  return (options, hasPdf) => {
    const { alias, stamp } = options;
    if (hasPdf && stamp !== null) {
      const { page, position, template, initials } = stamp;
      const mark = initials === null ? {} : { initials: { ...initials.position, text: initials.text } };
      void bridge.call('stamps.keepPlace', { alias, place: { page, ...position, template, ...mark } });
    }
    rememberCertificate(alias);
    void desk.start(options);
  };
}

interface Drawings {
  readonly stamp: StampDrawing;
  readonly initials: StampDrawing;
}

/** The stamp and the initials as the core draws them for this certificate. */
function useDrawings({ stamp, reason, location }: SigningOptions, alias: string): Drawings {
  const isAsked = stamp !== null && alias !== '';
  const texts = { ...(reason === '' ? {} : { reason }), ...(location === '' ? {} : { location }) };
  const { width, height } = sizeOf(stamp?.position ?? initialsSize);
  const shown = useStampDrawing(isAsked ? { alias, width, height, ...lookOf(stamp), ...texts } : null);
  const initials = useStampDrawing(
    isAsked && stamp.initials !== null
      ? { alias, ...sizeOf(stamp.initials.position), text: textOfInitials(stamp.initials), ...texts }
      : null,
  );
  return { stamp: shown, initials };
}

const sizeOf = ({ width, height }: Size): Size => ({ width, height });

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

interface PagesProps extends OptionPartProps {
  readonly items: readonly DeskItem[];
  readonly drawings: Drawings;
}

/** The pages of the PDFs, where the stamp is placed. */
function Pages({ items, options, onChange, drawings }: PagesProps) {
  const { stamp, password } = options;
  return (
    <Suspense fallback={<RowsPlaceholder />}>
      <ReviewDesk
        items={items.filter(({ isPdf, file }) => isPdf && file.size > 0)}
        stamp={stamp}
        onStamp={(changed) => onChange({ stamp: changed })}
        drawing={drawings.stamp.page}
        initials={drawings.initials.page}
        password={password}
        onPassword={(typed) => onChange({ password: typed })}
      />
    </Suspense>
  );
}

interface SubmitLineProps {
  readonly holder: string;
  /** Files to sign. */
  readonly count: number;
  readonly ready: boolean;
}

/** The name of the signer, and the start button. */
function SubmitLine({ holder, count, ready }: SubmitLineProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.submit}>
      <Text size="sm" c="dimmed" className={classes.cut}>
        {holder}
      </Text>
      <Button type="submit" size="md" disabled={!ready} leftSection={<PenLine size={18} aria-hidden />}>
        {t('sign.submit', { count })}
      </Button>
    </div>
  );
}
