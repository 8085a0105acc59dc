import { Checkbox, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { visibleText } from '../../../../src/text/visible-text.ts';
import { Notice } from '../../components/notice.tsx';
import { coSigningOf, signedFiles } from './co-signing.ts';
import type { DeskItem } from './desk-state.ts';
import type { OptionPartProps } from './signing-options.ts';

/** Offers to sign the document of a signature file beside its signers, or tells how; nothing without such a file. */
export function CoSigningPart({ items, options, onChange }: OptionPartProps & { readonly items: readonly DeskItem[] }) {
  const { t } = useTranslation();
  const [signed] = signedFiles(items);
  if (signed === undefined) return null;
  const pair = coSigningOf(items);
  if (pair === null) {
    return (
      <Notice kind="information">
        <Text size="sm">{t('sign.encloses', { name: visibleText(signed.file.name) })}</Text>
      </Notice>
    );
  }
  return (
    <Checkbox
      label={t('sign.beside', { name: visibleText(pair.signature.file.name) })}
      description={t('sign.besideHelp', { name: visibleText(pair.document.file.name) })}
      checked={options.beside}
      onChange={(event) => onChange({ beside: event.currentTarget.checked })}
    />
  );
}
