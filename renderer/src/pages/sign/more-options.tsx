import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { digests } from '../../../../src/request/signature-request.ts';
import { Unfold } from '../../components/unfold.tsx';
import { nameOfDigest } from '../../format/digest.ts';
import type { DeskItem } from './desk-state.ts';
import { FieldPair } from './field-pair.tsx';
import { PdfPart } from './pdf-part.tsx';
import { PolicyPart } from './policy-part.tsx';
import { otherTypes, pdfTypes, suits, type OptionPartProps, type SignatureType } from './signing-options.ts';

function Types({ items, options, onChange }: OptionPartProps & { readonly items: readonly DeskItem[] }) {
  const { t } = useTranslation();
  const hasPdf = items.some((item) => item.isPdf);
  const hasOther = items.some((item) => !item.isPdf);
  const typeChoices = (types: readonly SignatureType[]) =>
    types.map((type) => ({
      value: type,
      label: t(`sign.types.${type}`),
      disabled: !suits(type, options.policy),
    }));
  return (
    <FieldPair>
      {hasPdf ? (
        <NativeSelect
          label={t('sign.pdfType')}
          value={options.pdfType}
          data={typeChoices(pdfTypes)}
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
          data={typeChoices(otherTypes)}
          onChange={(event) => {
            const chosen = otherTypes.find((type) => type === event.currentTarget.value);
            if (chosen !== undefined) onChange({ otherType: chosen });
          }}
        />
      ) : null}
    </FieldPair>
  );
}

interface MoreOptionsProps extends OptionPartProps {
  readonly items: readonly DeskItem[];
  readonly hasPdf: boolean;
}

/** The second step: options that most people leave as they are. */
export function MoreOptions({ items, options, onChange, hasPdf }: MoreOptionsProps) {
  const { t } = useTranslation();
  return (
    <Unfold text={t('sign.more')} textOpen={t('sign.fewer')} aligned>
      <Stack gap="md">
        <PolicyPart options={options} onChange={onChange} />
        <Types items={items} options={options} onChange={onChange} />
        <FieldPair>
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
        </FieldPair>
        <TextInput
          label={`${t('signOptions.claimedRole')} (${t('common.optional')})`}
          description={t('signOptions.claimedRoleHelp')}
          maxLength={200}
          value={options.claimedRole}
          onChange={(event) => onChange({ claimedRole: event.currentTarget.value })}
        />
        {hasPdf ? <PdfPart options={options} onChange={onChange} /> : null}
        <NativeSelect
          label={t('sign.digest')}
          description={t('sign.digestHelp')}
          value={options.digest}
          data={digests.map((digest) => ({ value: digest, label: nameOfDigest(digest) }))}
          onChange={(event) => {
            const chosen = digests.find((digest) => digest === event.currentTarget.value);
            if (chosen !== undefined) onChange({ digest: chosen });
          }}
        />
      </Stack>
    </Unfold>
  );
}
