import { useErrorText } from '../../../i18n/error-text.ts';
import type { StampPartProps } from '../stamp-part-props.ts';
import type { StampOptions } from '../stamp-options.ts';
import { lookOf } from '../signing-options.ts';
import { LookPart } from './look-part.tsx';
import { PagePart } from './page-part.tsx';
import classes from './stamp.module.css';
import { useStampDrawing } from './use-stamp-drawing.ts';

/** The page of a document with the stamp, beside the stamp's options. */
export function StampDesigner({ options, onChange, items, certificate }: StampPartProps) {
  const errorText = useErrorText();
  const { stamp, reason, location, password } = options;
  const drawing = useStampDrawing(
    stamp === null || certificate === null
      ? null
      : {
          alias: certificate.alias,
          width: stamp.position.width,
          height: stamp.position.height,
          ...lookOf(stamp),
          ...(reason === '' ? {} : { reason }),
          ...(location === '' ? {} : { location }),
        },
  );
  if (stamp === null) return null;
  const change = (part: Partial<StampOptions>): void => onChange({ stamp: { ...stamp, ...part } });
  return (
    <div className={classes.part}>
      <PagePart
        items={items}
        stamp={stamp}
        onChange={change}
        drawing={drawing.page}
        password={password}
        onPassword={(given) => onChange({ password: given })}
      />
      <LookPart stamp={stamp} onChange={change} error={drawing.error === null ? null : errorText(drawing.error)} />
    </div>
  );
}
