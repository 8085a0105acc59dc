import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModuleView } from '../../../../src/ui-contract/ui-contract.ts';
import { EntryRow } from '../../components/entry-row.tsx';
import { RowHead } from '../../components/list/row-head.tsx';
import { Intro } from '../../components/intro.tsx';
import { Empty, Section } from '../../components/page.tsx';
import { QueryRows } from '../../components/query-rows.tsx';
import { useQuery } from '../../data/core-context.ts';
import { useErrorText } from '../../i18n/error-text.ts';
import classes from './certificates.module.css';
import { ModuleControls, ModuleMark } from '../../keys/module-controls.tsx';

/** The added PKCS#11 drivers, with the state of each. */
export function ModulesCard({ add }: { readonly add: ReactNode }) {
  const { t } = useTranslation();
  const modules = useQuery('modules.list', {});
  return (
    <Section title={t('certificates.modules.title')} side={add} flush>
      <Intro>{t('certificates.modules.text')}</Intro>
      <QueryRows query={modules} none={<Empty>{t('certificates.modules.none')}</Empty>}>
        {(module) => <ModuleRow key={module.id} module={module} />}
      </QueryRows>
    </Section>
  );
}

function ModuleRow({ module }: { readonly module: ModuleView }) {
  const errorText = useErrorText();
  return (
    <EntryRow
      actions={
        <Group gap="xs">
          <ModuleControls module={module} />
        </Group>
      }
    >
      <RowHead name={module.product}>
        <ModuleMark state={module.state} />
      </RowHead>
      <Text size="sm" c="dimmed" className={classes.wrap}>
        {module.path}
      </Text>
      {module.problem === null ? null : (
        <Text size="sm" mt={4} className={classes.wrap}>
          {errorText({ code: module.problem })}
        </Text>
      )}
    </EntryRow>
  );
}
