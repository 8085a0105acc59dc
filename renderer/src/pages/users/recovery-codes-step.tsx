import { Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core';
import { Printer } from '../../components/icons/index.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkField } from '../../components/fields/fields.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Notice } from '../../components/notice.tsx';
import classes from './users.module.css';

interface RecoveryCodesStepProps {
  readonly name: string;
  readonly codes: readonly string[];
  /** True after an attempt to close the dialog. */
  readonly leaving: boolean;
  readonly onDone: () => void;
}

/** Shows the recovery codes, this once. A printed page contains nothing else. */
export function RecoveryCodesStep({ name, codes, leaving, onDone }: RecoveryCodesStepProps) {
  const { t } = useTranslation();
  const [saved, setSaved] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const listTitle = useId();
  useEffect(() => title.current?.focus(), []);
  return (
    <Stack gap="md">
      <div>
        <Title order={3} size="md" ref={title} tabIndex={-1} className={classes.focusless}>
          {t('users.enrolment.recovery')}
        </Title>
        <Text size="sm" mt={4}>
          {t('users.enrolment.recoveryText')}
        </Text>
      </div>
      <div data-print-alone>
        <Text id={listTitle} size="sm" fw={600} mb={6}>
          {t('users.enrolment.recoveryList', { name })}
        </Text>
        <ol className={classes.codes} aria-labelledby={listTitle}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
      <Group gap="sm">
        <CopyButton text={codes.join('\n')} name={t('users.enrolment.copyName')} label={t('users.enrolment.copy')} />
        <Button variant="default" leftSection={<Printer size={16} aria-hidden />} onClick={() => window.print()}>
          {t('users.enrolment.print')}
        </Button>
      </Group>
      {leaving ? (
        <Notice kind="warning" alert>
          {t('users.enrolment.leaving')}
        </Notice>
      ) : null}
      <Checkbox label={t('users.enrolment.saved')} {...checkField(saved, setSaved)} />
      <Group justify="flex-end" className={classes.end ?? ''}>
        <Button disabled={!saved} onClick={onDone}>
          {t('users.enrolment.next')}
        </Button>
      </Group>
    </Stack>
  );
}
