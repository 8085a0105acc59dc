import { Button, Stack, Text } from '@mantine/core';
import { UserPlus, UserRoundCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../components/notice.tsx';
import { Empty, PageHeader, Rows, RowsPlaceholder, Section } from '../components/page.tsx';
import { useErrorText } from '../i18n/error-text.ts';
import { AddDialog } from './add-dialog.tsx';
import { EnrolDialog } from './enrol-dialog.tsx';
import { usePeople, useRemoteAddress } from './people.ts';
import { PersonRow } from './person-row.tsx';

/** The people and companies that sign here: enrolment, selection, and the certificates of each. */
export function UsersPage() {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<'enrol' | 'add' | null>(null);
  const people = usePeople();
  const remote = useRemoteAddress();
  const close = (): void => setDialog(null);
  const taken = people.value?.filter(({ account }) => account !== null).map(({ username }) => username) ?? [];
  return (
    <>
      <PageHeader
        title={t('users.title')}
        subtitle={t('users.subtitle')}
        actions={
          <>
            {remote === null ? (
              <Button leftSection={<UserPlus size={18} aria-hidden />} onClick={() => setDialog('enrol')}>
                {t('users.enrol')}
              </Button>
            ) : null}
            <Button
              variant={remote === null ? 'default' : 'filled'}
              leftSection={<UserRoundCheck size={18} aria-hidden />}
              onClick={() => setDialog('add')}
            >
              {t('users.add')}
            </Button>
          </>
        }
      />
      <Stack gap="lg">
        {remote === null ? null : <Notice kind="information">{t('users.remote', { address: remote })}</Notice>}
        <Section title={t('users.list')} flush>
          <PeopleList people={people} remote={remote} />
        </Section>
      </Stack>
      {dialog === 'enrol' ? <EnrolDialog taken={taken} onClose={close} /> : null}
      {dialog === 'add' ? <AddDialog person={null} onClose={close} /> : null}
    </>
  );
}

interface PeopleListProps {
  readonly people: ReturnType<typeof usePeople>;
  readonly remote: string | null;
}

function PeopleList({ people, remote }: PeopleListProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (people.value === null) {
    return people.error === null ? <RowsPlaceholder /> : <Empty>{errorText(people.error)}</Empty>;
  }
  if (people.value.length === 0) {
    return (
      <Empty>
        <Text fw={600} c="var(--mantine-color-text)">
          {t('users.none')}
        </Text>
        <Text size="sm" mt={4} maw="34rem" mx="auto">
          {remote === null ? t('users.noneText') : t('users.noneRemote', { address: remote })}
        </Text>
      </Empty>
    );
  }
  return (
    <Rows label={t('users.list')}>
      {people.value.map((person) => (
        <PersonRow key={person.username} person={person} />
      ))}
    </Rows>
  );
}
