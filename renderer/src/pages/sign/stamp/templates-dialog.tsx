import { ActionIcon, Button, Stack, Text, TextInput, Title, Tooltip } from '@mantine/core';
import { Check, Save, Trash2 } from '../../../components/icons/index.ts';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { textField } from '../../../components/fields/fields.ts';
import type { StampTemplateView } from '../../../../../src/ui-contract/stamp-calls.ts';
import type { CallInput } from '../../../../../src/ui-contract/ui-contract.ts';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useCore, useQuery } from '../../../data/core-context.ts';
import { useErrorText } from '../../../i18n/error-text.ts';
import type { StampOptions } from '../stamp-options.ts';
import classes from './stamp.module.css';

interface TemplatesDialogProps {
  readonly stamp: StampOptions;
  readonly onChange: (part: Partial<StampOptions>) => void;
  readonly onClose: () => void;
}

/** Saves the present stamp under a name, and renames or removes the user's own templates. */
export function TemplatesDialog({ stamp, onChange, onClose }: TemplatesDialogProps) {
  const { t } = useTranslation();
  const own = useQuery('stamps.list', {}).value ?? [];
  const { error, save, remove } = useTemplates();
  return (
    <Dialog title={t('stamp.manageTitle')} onClose={onClose} size="lg">
      <Stack gap="lg">
        <SaveForm stamp={stamp} onSave={save} onSaved={({ id }) => onChange({ template: id })} />
        {error === null ? null : (
          <Notice kind="error" alert>
            {error}
          </Notice>
        )}
        <div>
          <Title order={3} size="h5" mb="sm">
            {t('stamp.own')}
          </Title>
          {own.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('stamp.noOwn')}
            </Text>
          ) : (
            <ul className={classes.ownList}>
              {own.map((template) => (
                <OwnTemplate
                  key={template.id}
                  template={template}
                  onRename={(name) => save({ id: template.id, name, ...lookOf(template) })}
                  onRemove={() => remove(template.id)}
                />
              ))}
            </ul>
          )}
        </div>
      </Stack>
    </Dialog>
  );
}

/** The words and the picture that a template keeps. */
const lookOf = ({ text, image }: Pick<StampTemplateView, 'text' | 'image'>) => ({
  text,
  image: image ?? undefined,
});

interface SaveFormProps {
  readonly stamp: StampOptions;
  readonly onSave: Templates['save'];
  readonly onSaved: (template: StampTemplateView) => void;
}

/** Asks for a name for the present stamp, and saves it. */
function SaveForm({ stamp, onSave, onSaved }: SaveFormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const add = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    // In React's tree this dialog is inside the form of the page, so the event would submit that form too.
    event.stopPropagation();
    if (name.trim() === '') return;
    const saved = await onSave({ name, ...lookOf(stamp) });
    if (saved === null) return;
    setName('');
    onSaved(saved);
  };
  return (
    <form onSubmit={(event) => void add(event)}>
      <div className={classes.own}>
        <TextInput
          data-autofocus
          label={t('stamp.saveAs')}
          description={t('stamp.saveHelp')}
          maxLength={60}
          {...textField(name, setName)}
        />
        <Button type="submit" disabled={name.trim() === ''} leftSection={<Save size={18} aria-hidden />}>
          {t('stamp.save')}
        </Button>
      </div>
    </form>
  );
}

interface OwnTemplateProps {
  readonly template: StampTemplateView;
  readonly onRename: (name: string) => Promise<unknown>;
  readonly onRemove: () => Promise<void>;
}

function OwnTemplate({ template, onRename, onRemove }: OwnTemplateProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(template.name);
  const isChanged = name.trim() !== '' && name.trim() !== template.name;
  return (
    <li className={classes.own}>
      <TextInput aria-label={t('stamp.nameOf', { name: template.name })} maxLength={60} {...textField(name, setName)} />
      <Button
        variant="default"
        disabled={!isChanged}
        leftSection={<Check size={18} aria-hidden />}
        aria-label={t('stamp.renameNamed', { name: template.name })}
        onClick={() => void onRename(name)}
      >
        {t('stamp.rename')}
      </Button>
      <Tooltip label={t('common.remove')}>
        <ActionIcon
          variant="subtle"
          color="red"
          size="lg"
          aria-label={t('common.removeNamed', { name: template.name })}
          onClick={() => void onRemove()}
        >
          <Trash2 size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

interface Templates {
  readonly error: string | null;
  readonly save: (entry: CallInput<'stamps.save'>) => Promise<StampTemplateView | null>;
  readonly remove: (id: string) => Promise<void>;
}

function useTemplates(): Templates {
  const { bridge, queries } = useCore();
  const errorText = useErrorText();
  const [error, setError] = useState<string | null>(null);
  return {
    error,
    save: async (entry) => {
      const result = await bridge.call('stamps.save', entry);
      setError(result.ok ? null : errorText(result.error));
      queries.refresh('stamps.list');
      return result.ok ? result.value : null;
    },
    remove: async (id) => {
      const result = await bridge.call('stamps.remove', { id });
      setError(result.ok ? null : errorText(result.error));
      queries.refresh('stamps.list');
    },
  };
}
