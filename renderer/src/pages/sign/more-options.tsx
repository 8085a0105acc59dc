import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { choiceField, optional, textField } from '../../components/fields/fields.ts';
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
  const wordsOf = (type: SignatureType): string => t(`sign.types.${type}`);
  const typeChoices = (types: readonly SignatureType[]) =>
    types.map((type) => ({ value: type, label: wordsOf(type), disabled: !suits(type, options.policy) }));
  return (
    <FieldPair>
      {hasPdf ? (
        <NativeSelect
          label={t('sign.pdfType')}
          {...choiceField(pdfTypes, options.pdfType, wordsOf, (pdfType) => onChange({ pdfType }))}
          data={typeChoices(pdfTypes)}
        />
      ) : null}
      {hasOther ? (
        <NativeSelect
          label={t('sign.otherType')}
          {...choiceField(otherTypes, options.otherType, wordsOf, (otherType) => onChange({ otherType }))}
          data={typeChoices(otherTypes)}
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
            label={optional(t, t('sign.reason'))}
            description={t('sign.reasonHelp')}
            maxLength={500}
            {...textField(options.reason, (reason) => onChange({ reason }))}
          />
          <TextInput
            label={optional(t, t('sign.location'))}
            description={t('sign.reasonHelp')}
            maxLength={500}
            {...textField(options.location, (location) => onChange({ location }))}
          />
        </FieldPair>
        <TextInput
          label={optional(t, t('signOptions.claimedRole'))}
          description={t('signOptions.claimedRoleHelp')}
          maxLength={200}
          {...textField(options.claimedRole, (claimedRole) => onChange({ claimedRole }))}
        />
        {hasPdf ? <PdfPart options={options} onChange={onChange} /> : null}
        <NativeSelect
          label={t('sign.digest')}
          description={t('sign.digestHelp')}
          {...choiceField(digests, options.digest, nameOfDigest, (digest) => onChange({ digest }))}
        />
      </Stack>
    </Unfold>
  );
}
