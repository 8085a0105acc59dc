import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/notice.tsx';
import { useCore } from '../../data/core-context.ts';
import classes from './documents.module.css';
import { originalBytes, type OriginalPlace } from './original-bytes.ts';
import { ZoomButtons } from './zoom-buttons.tsx';

interface ImageViewProps {
  readonly place: OriginalPlace;
  readonly mediaType: string;
}

/** Larger images would need too much memory of the window. */
const mostBytes = 32 * 1024 * 1024;

/** A picture. */
export function ImageView({ place, mediaType }: ImageViewProps) {
  const { t } = useTranslation();
  const [zoom, setZoom] = useState(1);
  const [isBroken, setIsBroken] = useState(false);
  const { address, hasFailed } = useImageAddress(place, mediaType);
  if (place.size > mostBytes || isBroken || hasFailed) {
    return <Notice kind="information">{t('approval.cannotShow')}</Notice>;
  }
  return (
    <>
      <div className={classes.tools}>
        <ZoomButtons zoom={zoom} onZoom={setZoom} />
      </div>
      <div className={classes.paper} tabIndex={0} role="group" aria-label={t('approval.picture')}>
        {address === null ? (
          <Loader role="img" aria-label={t('common.loading')} />
        ) : (
          <img
            src={address}
            alt={t('approval.picture')}
            className={classes.image}
            style={{ width: `${zoom * 100}%` }}
            onError={() => setIsBroken(true)}
          />
        )}
      </div>
    </>
  );
}

interface ImageAddress {
  /** An address of the image in memory; null while it is read. */
  readonly address: string | null;
  readonly hasFailed: boolean;
}

function useImageAddress(place: OriginalPlace, mediaType: string): ImageAddress {
  const { bridge } = useCore();
  const { tcn, documentId, size, partSize } = place;
  const [image, setImage] = useState<ImageAddress>({ address: null, hasFailed: false });
  useEffect(() => {
    if (size > mostBytes) return;
    let made: string | null = null;
    let gone = false;
    originalBytes(bridge, { tcn, documentId, size, partSize })
      .read(0, size)
      .then(
        (bytes) => {
          if (gone) return;
          made = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mediaType }));
          setImage({ address: made, hasFailed: false });
        },
        () => {
          if (!gone) setImage({ address: null, hasFailed: true });
        },
      );
    return () => {
      gone = true;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [bridge, tcn, documentId, size, partSize, mediaType]);
  return image;
}
