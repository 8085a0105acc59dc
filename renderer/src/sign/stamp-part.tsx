import {
  Button,
  Group,
  NativeSelect,
  NumberInput,
  Radio,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
} from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateView } from '../../../src/ui-contract/ui-contract.ts';
import type { OptionPartProps } from './option-part.ts';
import classes from './sign.module.css';
import {
  corners,
  initialStamp,
  sizes,
  stampPages,
  stampVariables,
  usualTemplate,
  type StampOptions,
} from './stamp-options.ts';
import { StampPreview } from './stamp-preview.tsx';

/** Whether the signature is shown on a page, where, and with which words. */
export function StampPart(props: OptionPartProps & { readonly certificate: CertificateView | null }) {
  const { t } = useTranslation();
  const { options, onChange, certificate } = props;
  const { stamp } = options;
  const change = (part: Partial<StampOptions>): void => {
    if (stamp !== null) onChange({ stamp: { ...stamp, ...part } });
  };
  return (
    <div>
      <Switch
        label={t('signOptions.stamp')}
        description={t('signOptions.stampHelp')}
        checked={stamp !== null}
        onChange={(event) => onChange({ stamp: event.currentTarget.checked ? initialStamp : null })}
      />
      {stamp === null ? null : (
        <div className={classes.stamp}>
          <Stack gap="md" className={classes.stampFields}>
            <PlaceFields stamp={stamp} onChange={change} />
            <TemplateField stamp={stamp} onChange={change} />
          </Stack>
          <StampPreview stamp={stamp} options={options} certificate={certificate} />
        </div>
      )}
    </div>
  );
}

interface StampFieldProps {
  readonly stamp: StampOptions;
  readonly onChange: (part: Partial<StampOptions>) => void;
}

function PlaceFields({ stamp, onChange }: StampFieldProps) {
  const { t } = useTranslation();
  const { pages, corner, size } = stamp;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          label={t('signOptions.page')}
          value={pages.kind}
          data={stampPages.map((kind) => ({ value: kind, label: t(`signOptions.pages.${kind}`) }))}
          onChange={(event) => {
            const kind = stampPages.find((one) => one === event.currentTarget.value);
            if (kind !== undefined) onChange({ pages: { ...pages, kind } });
          }}
        />
        {pages.kind === 'number' ? (
          <NumberInput
            label={t('signOptions.pageNumber')}
            min={1}
            allowDecimal={false}
            hideControls
            value={pages.number}
            onChange={(value) => onChange({ pages: { ...pages, number: Number(value) } })}
          />
        ) : null}
        <NativeSelect
          label={t('signOptions.size')}
          value={size}
          data={sizes.map((one) => ({ value: one, label: t(`signOptions.sizes.${one}`) }))}
          onChange={(event) => {
            const chosen = sizes.find((one) => one === event.currentTarget.value);
            if (chosen !== undefined) onChange({ size: chosen });
          }}
        />
      </SimpleGrid>
      <Radio.Group
        label={t('signOptions.corner')}
        value={corner}
        onChange={(value) => {
          const chosen = corners.find((one) => one === value);
          if (chosen !== undefined) onChange({ corner: chosen });
        }}
      >
        <SimpleGrid cols={2} spacing={8} verticalSpacing={8} pt={6}>
          {corners.map((one) => (
            <Radio key={one} value={one} label={t(`signOptions.corners.${one}`)} />
          ))}
        </SimpleGrid>
      </Radio.Group>
    </>
  );
}

function TemplateField({ stamp, onChange }: StampFieldProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  const insert = (variable: string): void => {
    const { selectionStart = 0, selectionEnd = 0 } = field.current ?? {};
    onChange({ text: `${stamp.text.slice(0, selectionStart)}{${variable}}${stamp.text.slice(selectionEnd)}` });
    field.current?.focus();
  };
  return (
    <div>
      <Textarea
        ref={field}
        label={t('signOptions.template')}
        description={t('signOptions.templateHelp')}
        rows={7}
        maxLength={4000}
        spellCheck={false}
        value={stamp.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
      <Group gap={6} mt={8}>
        <Text size="sm" c="dimmed">
          {t('signOptions.insert')}:
        </Text>
        {stampVariables.map((variable) => (
          <Button
            key={variable}
            size="compact-sm"
            variant="default"
            aria-label={t('signOptions.insertNamed', { name: t(`signOptions.variables.${variable}`) })}
            onClick={() => insert(variable)}
          >
            {t(`signOptions.variables.${variable}`)}
          </Button>
        ))}
        {stamp.text === usualTemplate ? null : (
          <Button size="compact-sm" variant="subtle" onClick={() => onChange({ text: usualTemplate })}>
            {t('signOptions.usual')}
          </Button>
        )}
      </Group>
    </div>
  );
}
