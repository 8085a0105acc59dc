import {
  Button,
  Checkbox,
  FileButton,
  Group,
  NativeSelect,
  Radio,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { ImagePlus, Library, X } from '../../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkField, choiceField, textField } from '../../../components/fields/fields.ts';
import { largestStampImage } from './picture.ts';
import { useQuery } from '../../../data/core-context.ts';
import {
  builtInTemplates,
  cornerOf,
  corners,
  firstInitials,
  hasLine,
  inCorner,
  sizes,
  stampLines,
  stampSizes,
  withLine,
  type StampOptions,
} from '../stamp-options.ts';
import { markPicture, readPicture } from './picture.ts';
import classes from './stamp.module.css';
import { TemplatesDialog } from './templates-dialog.tsx';

interface LookPartProps {
  readonly stamp: StampOptions;
  readonly onChange: (part: Partial<StampOptions>) => void;
  /** The reason why the stamp cannot be drawn. */
  readonly error: string | null;
}

/** The appearance of the stamp, and shortcuts for its place. */
export function LookPart({ stamp, onChange, error }: LookPartProps) {
  return (
    <Stack gap="md" className={classes.fields}>
      <TemplateChoice stamp={stamp} onChange={onChange} />
      <LineChoice stamp={stamp} onChange={onChange} />
      <WordsField stamp={stamp} onChange={onChange} error={error} />
      <PictureChoice stamp={stamp} onChange={onChange} />
      <PlaceChoice stamp={stamp} onChange={onChange} />
      <InitialsChoice stamp={stamp} onChange={onChange} />
    </Stack>
  );
}

type FieldProps = Pick<LookPartProps, 'stamp' | 'onChange'>;

function TemplateChoice({ stamp, onChange }: FieldProps) {
  const { t } = useTranslation();
  const own = useQuery('stamps.list', {}).value ?? [];
  const [managing, setManaging] = useState(false);
  const choose = async (id: string): Promise<void> => {
    const saved = own.find((one) => one.id === id);
    if (saved !== undefined) onChange({ template: id, text: saved.text, image: saved.image });
    const builtIn = builtInTemplates.find((one) => one.id === id);
    if (builtIn === undefined) return;
    const picture = builtIn.hasPicture ? (stamp.image ?? (await markPicture())) : null;
    onChange({ template: id, text: builtIn.text, image: picture });
  };
  const usual = builtInTemplates.map(({ id }) => ({ value: id, label: t(`stamp.templates.${id}`) }));
  const groups = [{ group: t('stamp.builtIn'), items: usual }];
  if (own.length > 0) {
    groups.push({
      group: t('stamp.own'),
      items: own.map(({ id, name }) => ({ value: id, label: name })) as unknown as typeof usual,
    });
  }
  const isKnown = groups.some(({ items }) => items.some(({ value }) => value === stamp.template));
  return (
    <div className={classes.templateRow}>
      <NativeSelect
        label={t('stamp.template')}
        {...textField(isKnown ? stamp.template : 'usual', (text) => void choose(text))}
        data={groups}
      />
      <Button variant="default" leftSection={<Library size={18} aria-hidden />} onClick={() => setManaging(true)}>
        {t('stamp.manage')}
      </Button>
      {managing ? <TemplatesDialog stamp={stamp} onChange={onChange} onClose={() => setManaging(false)} /> : null}
    </div>
  );
}

function LineChoice({ stamp, onChange }: FieldProps) {
  const { t } = useTranslation();
  return (
    <Checkbox.Group
      label={t('stamp.lines')}
      value={stampLines.flatMap(({ variable }) => (hasLine(stamp.text, variable) ? [variable] : []))}
      onChange={(wanted) => {
        const changed = stampLines.find(({ variable }) => hasLine(stamp.text, variable) !== wanted.includes(variable));
        if (changed === undefined) return;
        onChange({ text: withLine(stamp.text, changed.variable, wanted.includes(changed.variable)) });
      }}
    >
      <div className={classes.lines}>
        {stampLines.map(({ variable }) => (
          <Checkbox key={variable} value={variable} label={t(`signOptions.variables.${variable}`)} />
        ))}
      </div>
    </Checkbox.Group>
  );
}

function WordsField({ stamp, onChange, error }: LookPartProps) {
  const { t } = useTranslation();
  return (
    <Textarea
      label={t('signOptions.template')}
      description={t('signOptions.templateHelp')}
      autosize={false}
      rows={7}
      maxLength={4000}
      spellCheck={false}
      {...textField(stamp.text, (text) => onChange({ text }), error)}
    />
  );
}

/** The mark on the further pages, its words and its corner. The place itself is chosen on the page. */
function InitialsChoice({ stamp, onChange }: FieldProps) {
  const { t } = useTranslation();
  const { initials } = stamp;
  return (
    <div>
      <Checkbox
        label={t('stamp.initials')}
        description={t('stamp.initialsHelp')}
        {...checkField(initials !== null, (checked) => onChange({ initials: checked ? firstInitials : null }))}
      />
      {initials === null ? null : (
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="sm" className={classes.initials}>
          <TextInput
            label={t('stamp.initialsText')}
            description={t('stamp.initialsTextHelp')}
            maxLength={200}
            spellCheck={false}
            {...textField(initials.text, (text) => onChange({ initials: { ...initials, text } }))}
          />
          <NativeSelect
            label={t('stamp.initialsCorner')}
            description={t('stamp.initialsCornerHelp')}
            {...choiceField(
              corners,
              cornerOf(initials.position) ?? '',
              (one) => t(`signOptions.corners.${one}`),
              (one) => onChange({ initials: { ...initials, position: inCorner(one, initials.position) } }),
              t('stamp.ownPlace'),
            )}
          />
        </SimpleGrid>
      )}
    </div>
  );
}

function PictureChoice({ stamp, onChange }: FieldProps) {
  const { t } = useTranslation();
  const [trouble, setTrouble] = useState<'kind' | 'size' | null>(null);
  const take = async (file: File | null): Promise<void> => {
    if (file === null) return;
    const picture = await readPicture(file);
    setTrouble(picture.ok ? null : picture.trouble);
    if (picture.ok) onChange({ image: picture.image });
  };
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {t('stamp.picture')}
      </Text>
      <Group gap="sm">
        <FileButton
          accept="image/png,image/jpeg"
          onChange={(file) => void take(file)}
          inputProps={{ 'aria-label': t('stamp.choosePicture') }}
        >
          {(props) => (
            <Button {...props} variant="default" size="xs" leftSection={<ImagePlus size={16} aria-hidden />}>
              {stamp.image === null ? t('stamp.choosePicture') : t('stamp.otherPicture')}
            </Button>
          )}
        </FileButton>
        {stamp.image === null ? null : (
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            leftSection={<X size={16} aria-hidden />}
            onClick={() => onChange({ image: null })}
          >
            {t('stamp.withoutPicture')}
          </Button>
        )}
      </Group>
      <Text size="xs" c={trouble === null ? 'dimmed' : 'var(--mantine-color-error)'} mt={4} role="status">
        {t(`stamp.pictureHelp.${trouble ?? 'usual'}`, { size: largestStampImage / 1024 })}
      </Text>
    </div>
  );
}

function PlaceChoice({ stamp, onChange }: FieldProps) {
  const { t } = useTranslation();
  const { position, page } = stamp;
  const size = sizes.find((one) => {
    const { width, height } = stampSizes[one];
    return position.width === width && position.height === height;
  });
  const put = (corner: (typeof corners)[number], box: { readonly width: number; readonly height: number }): void =>
    onChange({ position: inCorner(corner, box) });
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          label={t('signOptions.page')}
          {...choiceField(
            ['first', 'last', 'number'],
            typeof page === 'number' ? 'number' : page,
            (one) =>
              one === 'number'
                ? t('stamp.onlyNumber', { number: typeof page === 'number' ? page : 1 })
                : t(`signOptions.pages.${one}`),
            (one) => onChange({ page: one === 'number' ? 1 : one }),
          )}
        />
        <NativeSelect
          label={t('signOptions.size')}
          {...choiceField(
            sizes,
            size ?? '',
            (one) => t(`signOptions.sizes.${one}`),
            (one) => onChange({ position: { ...position, ...stampSizes[one] } }),
            t('stamp.ownSize'),
          )}
        />
      </SimpleGrid>
      <Radio.Group
        label={t('signOptions.corner')}
        description={t('stamp.cornerHelp')}
        value={cornerOf(position)}
        onChange={(value) => {
          const chosen = corners.find((one) => one === value);
          if (chosen !== undefined) put(chosen, position);
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
