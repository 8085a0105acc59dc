import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Home } from '../../../../src/ui-contract/ui-contract.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Empty, Rows, Section } from '../../components/page.tsx';
import { TokenMarks } from '../../components/token-marks.tsx';
import { useFinish } from '../../components/use-finish.ts';
import { useCore } from '../../data/core-context.ts';
import { useFindings } from '../../data/use-findings.ts';
import { hrefOf } from '../../route.ts';
import { HealthCard } from './health-card.tsx';
import classes from './home.module.css';
import { ReadyCard } from './ready-card.tsx';
import { RecentCard } from './recent-card.tsx';
import { WaitingCard } from './waiting-card.tsx';
import { Welcome } from './welcome.tsx';

interface OverviewProps {
  readonly home: Home;
  readonly onReview: (tcn: string) => void;
}

/** The contents of Home: keys, waiting approvals, recent signatures, and the state of the parts of Sinete. */
export function Overview({ home, onReview }: OverviewProps) {
  const { t } = useTranslation();
  const waiting = home.waiting.filter((entry) => entry.waitingFor === 'approval' || entry.waitingFor === 'pin');
  return (
    <Stack gap="lg">
      {home.secretStore.kind === 'memory' ? <MemoryNotice /> : null}
      {home.room.state === 'enough' ? null : <RoomNotice room={home.room} />}
      {home.certificates === 0 ? <Welcome /> : <ReadyCard count={home.certificates} />}
      {waiting.length > 0 ? <WaitingCard waiting={waiting} onReview={onReview} /> : null}
      <div className={classes.columns}>
        <RecentCard recent={home.recent} counts={home.counts} />
        <Stack gap="lg">
          <TokensCard home={home} />
          <HealthCard />
          <AddressesCard home={home} />
        </Stack>
      </div>
      <Text size="sm" c="dimmed" className={classes.footer}>
        {t('app.name')} · {t('home.version', { version: home.version })} · {t('home.dataFolder')}:{' '}
        <span className={classes.path}>{home.dataFolder}</span> ·{' '}
        <Anchor href={hrefOf('first-run')} inherit underline="always">
          {t('firstRun.title')}
        </Anchor>
      </Text>
    </Stack>
  );
}

function MemoryNotice() {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const { wrong } = useFindings();
  const finish = useFinish('home.read', 'doctor.read');
  const canKeep = wrong.some(({ repairs }) => repairs.some(({ kind }) => kind === 'keep-keys'));
  return (
    <Notice kind="warning" title={t('home.memoryTitle')}>
      {t('home.memoryText')}
      {canKeep ? (
        <div>
          <Button
            size="xs"
            mt="sm"
            onClick={() => void bridge.call('secrets.keep', {}).then((result) => finish(result, t('home.memoryKept')))}
          >
            {t('home.memoryKeep')}
          </Button>
        </div>
      ) : null}
    </Notice>
  );
}

function RoomNotice({ room: { state, cause } }: { readonly room: Home['room'] }) {
  const { t } = useTranslation();
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

const addressNames = ['signing', 'authorization', 'registry', 'assistant'] as const;

function AddressesCard({ home }: { readonly home: Home }) {
  const { t } = useTranslation();
  return (
    <Section title={t('home.addresses')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('home.addressesText')}
      </Text>
      <dl className={classes.addresses}>
        {addressNames.map((name) => (
          <div key={name}>
            <dt>{t(`home.${name}`)}</dt>
            <dd>
              <code>{home.addresses[name]}</code>
              <CopyButton text={home.addresses[name]} name={t(`home.${name}`)} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
