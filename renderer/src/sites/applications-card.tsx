import { Button, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty, Rows, RowsPlaceholder, Section } from '../components/page.tsx';
import { useQuery } from '../data/core-context.ts';
import { useErrorText } from '../i18n/error-text.ts';
import { ApplicationDialog } from './application-dialog.tsx';
import { ApplicationRow } from './application-row.tsx';
import { SecretsDialog, type ShownSecrets } from './secrets-dialog.tsx';
import classes from './sites.module.css';

/** The applications that were registered here, and their secrets when they are new. */
export function ApplicationsCard() {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  const [secrets, setSecrets] = useState<ShownSecrets | null>(null);
  return (
    <Section
      title={t('applications.title')}
      side={
        <Button
          variant="default"
          size="xs"
          leftSection={<Plus size={16} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          {t('applications.add')}
        </Button>
      }
      flush
    >
      <Text size="sm" c="dimmed" className={classes.intro}>
        {t('applications.text')}
      </Text>
      <ApplicationList onSecrets={setSecrets} />
      {adding ? <ApplicationDialog application={null} onClose={() => setAdding(false)} onSecrets={setSecrets} /> : null}
      {secrets === null ? null : <SecretsDialog shown={secrets} onClose={() => setSecrets(null)} />}
    </Section>
  );
}

function ApplicationList({ onSecrets }: { readonly onSecrets: (secrets: ShownSecrets) => void }) {
  const { t } = useTranslation();
  const applications = useQuery('applications.list', {});
  const errorText = useErrorText();
  if (applications.value === null) {
    return applications.error === null ? <RowsPlaceholder /> : <Empty>{errorText(applications.error)}</Empty>;
  }
  if (applications.value.length === 0) {
    return (
      <Empty>
        <Text fw={600} c="var(--mantine-color-text)">
          {t('applications.none')}
        </Text>
        <Text size="sm" mt={4} maw="34rem" mx="auto">
          {t('applications.noneText')}
        </Text>
      </Empty>
    );
  }
  return (
    <Rows label={t('applications.title')}>
      {applications.value.map((application) => (
        <ApplicationRow key={application.clientId} application={application} onSecrets={onSecrets} />
      ))}
    </Rows>
  );
}
