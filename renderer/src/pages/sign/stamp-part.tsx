import { Switch } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { RowsPlaceholder } from '../../components/page.tsx';
import { useCore } from '../../data/core-context.ts';
import { late } from '../../late.tsx';
import { initialStamp, type StampOptions } from './stamp-options.ts';
import type { StampPartProps } from './stamp-part-props.ts';

/** Loaded for a stamp only, because it includes the program for drawing pages. */
const StampDesigner = late(async () => (await import('./stamp/stamp-designer.tsx')).StampDesigner);

/** Whether the signature is shown on a page, where, and how. */
export function StampPart(props: StampPartProps) {
  const { t } = useTranslation();
  const { options, onChange, certificate } = props;
  const remembered = useRememberedStamp();
  const show = async (): Promise<void> => {
    onChange({ stamp: initialStamp });
    const stamp = certificate === null ? null : await remembered(certificate.alias);
    if (stamp !== null) onChange({ stamp });
  };
  return (
    <div>
      <Switch
        label={t('signOptions.stamp')}
        description={t('signOptions.stampHelp')}
        checked={options.stamp !== null}
        onChange={(event) => {
          if (event.currentTarget.checked) void show();
          else onChange({ stamp: null });
        }}
      />
      {options.stamp === null ? null : (
        <Suspense fallback={<RowsPlaceholder />}>
          <StampDesigner {...props} />
        </Suspense>
      )}
    </div>
  );
}

/** The last stamp of a certificate's holder; null without a stamp. */
function useRememberedStamp(): (alias: string) => Promise<StampOptions | null> {
  const { bridge } = useCore();
  return async (alias) => {
    const [kept, templates] = await Promise.all([
      bridge.call('stamps.place', { alias }),
      bridge.call('stamps.list', {}),
    ]);
    if (!kept.ok || kept.value.place === null) return null;
    const { page, template, ...position } = kept.value.place;
    const own = templates.ok ? templates.value.find(({ id }) => id === template) : undefined;
    const { wordsOf } = await import('./stamp/words-of.ts');
    return { page, position, ...(await wordsOf(template, own ?? null)) };
  };
}
