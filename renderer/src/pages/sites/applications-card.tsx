import { Plus } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CardAction } from '../../components/actions.tsx';
import { Intro } from '../../components/intro.tsx';
import { Section } from '../../components/page.tsx';
import { Nothing, QueryRows } from '../../components/query-rows.tsx';
import { useQuery } from '../../data/core-context.ts';
import { ApplicationDialog } from './application-dialog.tsx';
import { ApplicationRow } from './application-row.tsx';
import { SecretsDialog, type ShownSecrets } from './secrets-dialog.tsx';

/** The registered applications, and their new secrets. */
export function ApplicationsCard() {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  const [secrets, setSecrets] = useState<ShownSecrets | null>(null);
  return (
    <Section
      title={t('applications.title')}
      side={
        <CardAction icon={Plus} onClick={() => setAdding(true)}>
          {t('applications.add')}
        </CardAction>
      }
      flush
    >
      <Intro>{t('applications.text')}</Intro>
      <ApplicationList onSecrets={setSecrets} />
      {adding ? <ApplicationDialog application={null} onClose={() => setAdding(false)} onSecrets={setSecrets} /> : null}
      {secrets === null ? null : <SecretsDialog shown={secrets} onClose={() => setSecrets(null)} />}
    </Section>
  );
}

function ApplicationList({ onSecrets }: { readonly onSecrets: (secrets: ShownSecrets) => void }) {
  const { t } = useTranslation();
  return (
    <QueryRows
      label={t('applications.title')}
      query={useQuery('applications.list', {})}
      none={<Nothing title={t('applications.none')} text={t('applications.noneText')} narrow />}
    >
      {(application) => <ApplicationRow key={application.clientId} application={application} onSecrets={onSecrets} />}
    </QueryRows>
  );
}
