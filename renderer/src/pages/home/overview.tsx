import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { ArrowRight, FileUp } from '../../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import type { Home } from '../../../../src/ui-contract/ui-contract.ts';
import { DropZone, FilePickers } from '../../components/drop-zone.tsx';
import { Notice } from '../../components/notice.tsx';
import { Empty, Rows, Section } from '../../components/page.tsx';
import { TokenMarks } from '../../components/token-marks.tsx';
import { useHandOver } from '../../data/hand-over.ts';
import { useFindings } from '../../data/use-findings.ts';
import { goTo, hrefOf } from '../../route.ts';
import { HealthCard } from './health-card.tsx';
import classes from './home.module.css';
import { ReadyCard } from './ready-card.tsx';
import { RecentCard } from './recent-card.tsx';
import { WaitingCard } from './waiting-card.tsx';

interface OverviewProps {
  readonly home: Home;
  readonly onReview: (tcn: string) => void;
}

/** The contents of Home: where to drop files, waiting approvals, the state of everything, and recent signatures. */
export function Overview({ home, onReview }: OverviewProps) {
  const { t } = useTranslation();
  const waiting = home.waiting.filter((entry) => entry.waitingFor === 'approval' || entry.waitingFor === 'pin');
  return (
    <Stack gap="lg">
      <RoomNotice room={home.room} />
      {home.certificates === 0 ? (
        <Welcome />
      ) : (
        <div className={classes.columns} data-same-height>
          <SignZone />
          <ReadyCard count={home.certificates} />
        </div>
      )}
      {waiting.length > 0 ? <WaitingCard waiting={waiting} onReview={onReview} /> : null}
      <div className={classes.columns}>
        <HealthCard />
        <RecentCard recent={home.recent} />
        <TokensCard home={home} />
      </div>
      <Text size="sm" c="dimmed">
        {t('app.name')} · {t('home.version', { version: home.version })} · {t('home.dataFolder')}:{' '}
        <span className={classes.path}>{home.dataFolder}</span> ·{' '}
        <Anchor href={hrefOf('first-run')} inherit underline="always">
          {t('firstRun.title')}
        </Anchor>
      </Text>
    </Stack>
  );
}

/** A link to the first steps, as long as there is no certificate. */
function Welcome() {
  const { t } = useTranslation();
  return (
    <section className={classes.welcome} aria-labelledby="welcome">
      <Title order={2} id="welcome" size="h3">
        {t('home.firstTitle')}
      </Title>
      <Text c="dimmed" mt={4} mb="md">
        {t('home.firstText')}
      </Text>
      <Button component="a" href={hrefOf('first-run')} rightSection={<ArrowRight size={18} aria-hidden />}>
        {t('firstRun.resume')}
      </Button>
    </section>
  );
}

/** Files dropped or chosen here are signed on the page Sign. */
function SignZone() {
  const { t } = useTranslation();
  const { sign } = useHandOver();
  const onFiles = (files: readonly File[]): void => {
    goTo('sign');
    void sign(files);
  };
  return (
    <DropZone icon={FileUp} size="fitting" text={t('home.drop')} or={t('sign.dropOr')}>
      <FilePickers onFiles={onFiles} />
    </DropZone>
  );
}

/** Reports low disk space, unless a finding reports it already. */
function RoomNotice({ room: { state, cause } }: { readonly room: Home['room'] }) {
  const { t } = useTranslation();
  const { checks, wrong } = useFindings();
  if (state === 'enough' || checks === null || wrong.some(({ id }) => id === 'data-folder')) return null;
  return (
    <Notice
      kind={state === 'none' ? 'error' : 'warning'}
      title={t(state === 'none' ? 'home.roomNoneTitle' : 'home.roomScarceTitle')}
    >
      {t(cause === 'quota' ? 'home.roomQuotaText' : 'home.roomDiskText')}
    </Notice>
  );
}

function TokensCard({ home }: { readonly home: Home }) {
  const { t } = useTranslation();
  return (
    <Section title={t('home.keys')} flush>
      {home.tokens.length === 0 ? (
        <Empty>{t('home.noTokens')}</Empty>
      ) : (
        <Rows>
          {home.tokens.map((token) => (
            <li key={`${token.module} ${token.serialNumber}`}>
              <Text fw={550}>{token.label}</Text>
              <Group gap={6} mt={4}>
                <TokenMarks token={token} />
              </Group>
            </li>
          ))}
        </Rows>
      )}
    </Section>
  );
}
