import { ActionIcon, Text } from '@mantine/core';
import { ZoomIn, ZoomOut } from '../../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import classes from './documents.module.css';

/** Zoom factors; at 1 the page fills the width of the view. */
const steps = [0.5, 0.75, 1, 1.5, 2, 3, 4];

interface ZoomButtonsProps {
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
}

/** Makes a page or picture larger and smaller. */
export function ZoomButtons({ zoom, onZoom }: ZoomButtonsProps) {
  const { t } = useTranslation();
  const smaller = steps.findLast((step) => step < zoom);
  const larger = steps.find((step) => step > zoom);
  return (
    <div className={classes.zoom} role="group" aria-label={t('approval.zoom')}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('approval.zoomOut')}
        disabled={smaller === undefined}
        onClick={() => onZoom(smaller ?? zoom)}
      >
        <ZoomOut size={18} aria-hidden />
      </ActionIcon>
      <Text size="sm" c="dimmed" className={classes.zoomLevel}>
        {Math.round(zoom * 100)} %
      </Text>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('approval.zoomIn')}
        disabled={larger === undefined}
        onClick={() => onZoom(larger ?? zoom)}
      >
        <ZoomIn size={18} aria-hidden />
      </ActionIcon>
    </div>
  );
}
