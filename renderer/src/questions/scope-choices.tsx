import { Checkbox, Group, Radio, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { GrantScopeView } from '../../../src/ui-contract/site-calls.ts';
import { Unfold } from '../components/unfold.tsx';
import { grantScopes, type QuestionDuration } from './scopes.ts';

interface ScopeChoicesProps {
  readonly label: string;
  /** The offered permissions. */
  readonly offered: readonly GrantScopeView[];
  /** Permissions that the site's present request needs. They are marked, and the others are folded. */
  readonly wanted?: readonly GrantScopeView[];
  readonly chosen: readonly GrantScopeView[];
  readonly onChange: (scopes: readonly GrantScopeView[]) => void;
}

/** A checkbox for each permission that a site may get, labelled by a sentence. */
export function ScopeChoices({ label, offered, wanted, chosen, onChange }: ScopeChoicesProps) {
  const { t } = useTranslation();
  const choices = grantScopes.filter(({ scope }) => offered.includes(scope));
  const isFolded = ({ scope }: { readonly scope: GrantScopeView }): boolean =>
    wanted !== undefined && !wanted.includes(scope);
  const folded = choices.filter(isFolded);
  const boxOf = ({ scope, text }: (typeof grantScopes)[number]): ReactNode => (
    <Checkbox
      key={scope}
      value={scope}
      label={t(`sites.scopes.${text}`)}
      {...(wanted?.includes(scope) === true ? { description: t('consent.wanted') } : {})}
    />
  );
  return (
    <Checkbox.Group
      label={label}
      error={chosen.length === 0 ? t('sites.scopesError') : null}
      value={[...chosen]}
      onChange={(values) => onChange(grantScopes.map(({ scope }) => scope).filter((scope) => values.includes(scope)))}
    >
      <Stack gap={8} mt={8} mb={4}>
        {choices.filter((choice) => !isFolded(choice)).map(boxOf)}
        {folded.length === 0 ? null : (
          <Unfold text={t('consent.more')} textOpen={t('consent.less')} aligned>
            <Stack gap={8}>{folded.map(boxOf)}</Stack>
          </Unfold>
        )}
      </Stack>
    </Checkbox.Group>
  );
}

interface DurationChoicesProps<Duration extends QuestionDuration> {
  /** The offered permissions. */
  readonly offered: readonly { readonly name: Duration }[];
  readonly duration: Duration;
  readonly onChange: (duration: Duration) => void;
}

/** The duration of the permission. */
export function DurationChoices<Duration extends QuestionDuration>(props: DurationChoicesProps<Duration>) {
  const { offered, duration, onChange } = props;
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('sites.duration')}
      value={duration}
      onChange={(value) => {
        const found = offered.find(({ name }) => name === value);
        if (found !== undefined) onChange(found.name);
      }}
    >
      <DurationLayout hasHelp={offered.some(({ name }) => name === 'once')}>
        {offered.map(({ name }) => (
          <DurationChoice key={name} name={name} />
        ))}
      </DurationLayout>
    </Radio.Group>
  );
}

interface DurationLayoutProps {
  /** True if a duration has a help text, which needs columns of the same width. */
  readonly hasHelp: boolean;
  readonly children: ReactNode;
}

function DurationLayout({ hasHelp, children }: DurationLayoutProps) {
  return hasHelp ? (
    <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing={8} mt={8}>
      {children}
    </SimpleGrid>
  ) : (
    <Group gap="lg" mt={8}>
      {children}
    </Group>
  );
}

function DurationChoice({ name }: { readonly name: QuestionDuration }) {
  const { t } = useTranslation();
  const description = name === 'once' ? { description: t('sites.onceText') } : {};
  return <Radio value={name} label={t(`sites.durations.${name}`)} {...description} />;
}
