import { Button, FileButton, Group, Text } from '@mantine/core';
import { ImagePlus } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldError } from '../../components/dialogs/field-error.tsx';
import { Avatar } from './avatar.tsx';
import classes from './users.module.css';

/** Pixels on each side: twice the displayed size, for sharpness. */
const side = 192;

/** Maximum number of characters of the data URI. */
const limit = 64_000;
const qualities = [0.86, 0.7, 0.5, 0.3] as const;

/**
 * A square from the middle of an image as a small JPEG, in a data URI (RFC 2397). Metadata of the file, such as its
 * location, is dropped. Null if the browser cannot read the file as an image.
 */
async function makeThumbnail(file: Blob): Promise<string | null> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return null;
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const edge = Math.min(picture.width, picture.height);
  // JPEG has no transparency: transparent areas become white, not black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, side, side);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, (picture.width - edge) / 2, (picture.height - edge) / 2, edge, edge, 0, 0, side, side);
  picture.close();
  for (const quality of qualities) {
    const uri = canvas.toDataURL('image/jpeg', quality);
    if (uri.startsWith('data:image/jpeg') && uri.length <= limit) return uri;
  }
  return null;
}

/** Larger files are refused, because reading them takes long, and only a thumbnail is kept. */
const largestFile = 30_000_000;

interface PhotoFieldProps {
  /** Data URI. */
  readonly photo: string | null;
  readonly onChange: (photo: string | null) => void;
}

/** Chooses a photo from a file and makes a thumbnail here. */
export function PhotoField({ photo, onChange }: PhotoFieldProps) {
  const { t } = useTranslation();
  const [error, setError] = useState<string | null>(null);
  const choose = async (file: File | null): Promise<void> => {
    if (file === null) return;
    if (file.size > largestFile) {
      setError(t('users.fields.photoTooLarge'));
      return;
    }
    const thumbnail = await makeThumbnail(file);
    setError(thumbnail === null ? t('users.fields.photoUnreadable') : null);
    if (thumbnail !== null) onChange(thumbnail);
  };
  return (
    <div className={classes.photo}>
      <Avatar photo={photo} large />
      <div className={classes.photoText}>
        <Text fw={600} size="sm">
          {t('users.fields.photo')} <span>({t('common.optional')})</span>
        </Text>
        <Text size="sm" c="dimmed">
          {t('users.fields.photoHelp')}
        </Text>
        <Group gap={4} mt="xs">
          <FileButton
            onChange={(file) => void choose(file)}
            accept="image/png,image/jpeg,image/webp"
            inputProps={{ 'aria-label': t('users.fields.photo') }}
          >
            {(props) => (
              <Button {...props} size="xs" variant="default" leftSection={<ImagePlus size={16} aria-hidden />}>
                {photo === null ? t('users.fields.choosePhoto') : t('users.fields.otherPhoto')}
              </Button>
            )}
          </FileButton>
          {photo === null ? null : (
            <Button size="xs" variant="subtle" color="gray" onClick={() => onChange(null)}>
              {t('users.fields.removePhoto')}
            </Button>
          )}
        </Group>
        <FieldError error={error} />
      </div>
    </div>
  );
}
