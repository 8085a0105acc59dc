import { Button, List, Stack, Text } from '@mantine/core';
import { UserPlus, UserRoundCheck } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/notice.tsx';
import { PageHeader, Section } from '../../components/page.tsx';
import { Nothing, QueryRows } from '../../components/query-rows.tsx';
import { visibleText } from '../../../../src/text/visible-text.ts';
import { useQuery } from '../../data/core-context.ts';
import { formatInstant } from '../../format/format.ts';
import { AddDialog } from './add-dialog.tsx';
import { EnrolDialog } from './enrol-dialog.tsx';
import { usePeople, useRemoteAddress } from './people.ts';
import { PersonRow } from './person-row.tsx';

/** The signing people and companies: enrolment, selection, and the certificates of each. */
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
        <PausedList />
      </Stack>
      {dialog === 'enrol' ? <EnrolDialog taken={taken} onClose={close} /> : null}
      {dialog === 'add' ? <AddDialog person={null} onClose={close} /> : null}
    </>
  );
}

/** The people and programs that must wait after wrong codes or secrets. Draws nothing while nobody has to. */
function PausedList() {
  const { t, i18n } = useTranslation();
  const paused = useQuery('users.paused', {}).value ?? [];
  if (paused.length === 0) return null;
  return (
    <Section title={t('users.paused')}>
      <Text size="sm" mb="xs">
        {t('users.pausedText')}
      </Text>
      <List size="sm">
        {paused.map(({ kind, name, reach, until }, index) => (
          <List.Item key={`${kind} ${name} ${index}`}>
            {t(`users.pausedKinds.${kind}`, { name: visibleText(name ?? t('users.pausedUnknown')) })}{' '}
            {t(`users.pausedReach.${reach}`, { until: formatInstant(until, i18n.language) })}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

interface PeopleListProps {
  readonly people: ReturnType<typeof usePeople>;
  readonly remote: string | null;
}

function PeopleList({ people, remote }: PeopleListProps) {
  const { t } = useTranslation();
  const none = remote === null ? t('users.noneText') : t('users.noneRemote', { address: remote });
  return (
    <QueryRows label={t('users.list')} query={people} none={<Nothing title={t('users.none')} text={none} narrow />}>
      {(person) => <PersonRow key={person.username} person={person} />}
    </QueryRows>
  );
}
