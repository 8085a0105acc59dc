import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CertificateView } from '../../../src/ui-contract/ui-contract.ts';
import { useNow } from '../components/use-now.ts';
import classes from './sign.module.css';
import { stampSizes, type SigningOptions } from './signing-options.ts';
import { previewOf, stampDate, usualTemplate, type StampOptions, type StampValues } from './stamp-options.ts';

interface StampPreviewProps {
  readonly stamp: StampOptions;
  readonly options: SigningOptions;
  readonly certificate: CertificateView | null;
}

/** The stamp with today's values, and its place on a page of the usual size. */
export function StampPreview({ stamp, options, certificate }: StampPreviewProps) {
  const { t } = useTranslation();
  const values = valuesOf(options, certificate, useNow());
  const text = previewOf(stamp.text.trim() === '' ? usualTemplate : stamp.text, values);
  return (
    <figure className={classes.preview}>
      <figcaption>
        <Text size="sm" fw={550}>
          {t('signOptions.preview')}
        </Text>
      </figcaption>
      <MiniPage stamp={stamp} />
      <p className={classes.stampText}>{text.trim() === '' ? t('signOptions.previewEmpty') : text}</p>
    </figure>
  );
}

/** ISO A4, in points. */
const page = { width: 595, height: 842 };
const margin = 36;

/** Where on the page: a picture of what the fields beside it say. */
function MiniPage({ stamp: { corner, size } }: { readonly stamp: StampOptions }) {
  const { width, height } = stampSizes[size];
  const x = corner.endsWith('left') ? margin : page.width - margin - width;
  const y = corner.startsWith('top') ? margin : page.height - margin - height;
  return (
    <svg className={classes.miniPage} viewBox={`0 0 ${page.width} ${page.height}`} aria-hidden>
      {[180, 240, 300, 360, 420, 480, 540, 600].map((line, index) => (
        <rect key={line} x={72} y={line} width={index % 3 === 2 ? 300 : 451} height={14} rx={7} data-line />
      ))}
      <rect x={x} y={y} width={width} height={height} rx={10} data-stamp />
    </svg>
  );
}

function valuesOf({ reason, location }: SigningOptions, certificate: CertificateView | null, now: number): StampValues {
  const number = certificate?.taxpayerNumber ?? '';
  const isCompany = number.includes('/');
  return {
    name: certificate?.holder ?? '',
    cpf: isCompany ? '' : number,
    cnpj: isCompany ? number : '',
    company: '',
    date: stampDate(new Date(now)),
    reason,
    location,
  };
}
