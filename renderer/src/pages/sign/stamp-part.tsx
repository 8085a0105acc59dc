import { Switch } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { RowsPlaceholder } from '../../components/page.tsx';
import type { StampPlace } from '../../../../src/ui-contract/stamp-calls.ts';
import type { CallError, CertificateView } from '../../../../src/ui-contract/ui-contract.ts';
import { useCore } from '../../data/core-context.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import { late } from '../../late.tsx';
import type { OptionPartProps } from './signing-options.ts';
import { initialStamp, type StampOptions } from './stamp-options.ts';

/** Loaded only if a stamp is used. */
const LookPart = late(async () => (await import('./stamp/look-part.tsx')).LookPart);

interface StampPartProps extends OptionPartProps {
  readonly certificate: CertificateView | null;
  /** The reason why the stamp cannot be drawn. */
  readonly error: CallError | null;
}

/** The choice of a visible signature, and its look. Its place is chosen on the page. */
export function StampPart(props: StampPartProps) {
  const { t } = useTranslation();
  const { options, onChange, certificate, error } = props;
  const { stamp } = options;
  const errorText = useErrorText();
  const remembered = useRememberedStamp();
  const show = async (): Promise<void> => {
    onChange({ stamp: initialStamp });
    const last = certificate === null ? null : await remembered(certificate.alias);
    if (last !== null) onChange({ stamp: last });
  };
  return (
    <div>
      <Switch
        label={t('signOptions.stamp')}
        description={t('signOptions.stampHelp')}
        checked={stamp !== null}
        onChange={(event) => {
          if (event.currentTarget.checked) void show();
          else onChange({ stamp: null });
        }}
      />
      {stamp === null ? null : (
        <Suspense fallback={<RowsPlaceholder />}>
          <LookPart
            stamp={stamp}
            onChange={(part) => onChange({ stamp: { ...stamp, ...part } })}
            error={error === null ? null : errorText(error)}
          />
        </Suspense>
      )}
    </div>
  );
}

function initialsOf(kept: StampPlace['initials']): StampOptions['initials'] {
  if (kept === undefined) return null;
  const { text, ...position } = kept;
  return { text, position };
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
    const { page, template, initials, ...position } = kept.value.place;
    const own = templates.ok ? templates.value.find(({ id }) => id === template) : undefined;
    const { readTemplateContent } = await import('./stamp/template-content.ts');
    const words = await readTemplateContent(template, own ?? null);
    return { ...initialStamp, page, position, initials: initialsOf(initials), ...words };
  };
}
