import { Button, Group, Stack, Text } from '@mantine/core';
import { Search, Settings2 } from '../../components/icons/index.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateView } from '../../../../src/ui-contract/ui-contract.ts';
import { PinDialog } from '../../questions/pin-dialog.tsx';
import { AddModuleDialog } from '../../keys/add-module-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { Rows } from '../../components/page.tsx';
import { Mark } from '../../components/status.tsx';
import { Validity } from '../../components/validity.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import classes from './first-run.module.css';

interface TokenWayProps {
  /** The certificates on tokens. */
  readonly certificates: readonly CertificateView[];
  readonly onUse: (alias: string) => void;
}

/** Finds the driver of a plugged-in token, checks its PIN, and continues with a certificate of the token. */
export function TokenWay({ certificates, onUse }: TokenWayProps) {
  const { t } = useTranslation();
  const search = useTokenSearch();
  const modules = useQuery('modules.list', {});
  const tokens = useQuery('tokens.list', {});
  const [byHand, setByHand] = useState(false);
  const present = tokens.value?.filter((token) => token.present) ?? [];
  const drivers = modules.value?.filter(({ state }) => state === 'ok') ?? [];
  return (
    <Stack gap="md">
      <ul className={classes.checks}>
        <Check good={drivers.length > 0} name={t('firstRun.token.driver')}>
          {drivers.map(({ product }) => product).join(', ')}
        </Check>
        <Check good={present.length > 0} name={t('firstRun.token.plugged')}>
          {present.map(({ label }) => label).join(', ')}
        </Check>
        <Check good={certificates.some(({ locked }) => !locked)} name={t('firstRun.token.pin')}>
          {certificates.some(({ locked }) => !locked) ? t('firstRun.token.pinRight') : ''}
        </Check>
      </ul>
      {certificates.length > 0 ? <Found certificates={certificates} onUse={onUse} /> : <Outcome search={search} />}
      {certificates.length > 0 ? null : (
        <Group gap="sm">
          <Button
            leftSection={<Search size={18} aria-hidden />}
            loading={search.state.kind === 'searching'}
            onClick={() => void search.search()}
          >
            {search.state.kind === 'none' ? t('firstRun.token.again') : t('firstRun.token.search')}
          </Button>
          <Button variant="default" leftSection={<Settings2 size={18} aria-hidden />} onClick={() => setByHand(true)}>
            {t('firstRun.token.byHand')}
          </Button>
        </Group>
      )}
      {byHand ? <AddModuleDialog onClose={() => setByHand(false)} /> : null}
    </Stack>
  );
}

interface CheckProps {
  readonly good: boolean;
  readonly name: string;
  /** The finding. */
  readonly children: string;
}

function Check({ good, name, children }: CheckProps) {
  const { t } = useTranslation();
  return (
    <li>
      <Mark tone={good ? 'good' : 'neutral'} icon={good ? 'good' : 'idle'}>
        {good ? t('firstRun.token.yes') : t('firstRun.token.notYet')}
      </Mark>
      <span>
        <strong>{name}</strong> <span className={classes.dimmed}>{children}</span>
      </span>
    </li>
  );
}

function Outcome({ search }: { readonly search: TokenSearch }) {
  const { t } = useTranslation();
  const { state } = search;
  return (
    <div role="status">
      {state.kind === 'searching' ? <Text>{t('firstRun.token.searching', { name: state.product })}</Text> : null}
      {state.kind === 'none' ? (
        <Notice kind="warning" title={t('firstRun.token.none')}>
          {state.tried === 0 ? t('firstRun.token.noDriver') : t('firstRun.token.noneText', { count: state.tried })}
        </Notice>
      ) : null}
      {state.kind === 'found' ? <Text>{t('firstRun.token.reading')}</Text> : null}
    </div>
  );
}

function Found({ certificates, onUse }: TokenWayProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<string | null>(null);
  return (
    <div className={classes.list}>
      <Rows label={t('firstRun.token.certificates')}>
        {certificates.map((certificate) => (
          <li key={certificate.fingerprint} className={classes.row}>
            <div className={classes.rowText}>
              <Text fw={600}>{certificate.holder}</Text>
              <Text size="sm" c="dimmed">
                {[certificate.token?.label, certificate.issuer].filter((part) => part !== undefined).join(' · ')}
              </Text>
              <Validity certificate={certificate} />
            </div>
            {certificate.locked ? (
              <Button
                aria-label={t('firstRun.token.enterPinNamed', { name: certificate.holder })}
                onClick={() => setAsking(certificate.alias)}
              >
                {t('firstRun.token.enterPin')}
              </Button>
            ) : (
              <Button
                aria-label={t('firstRun.token.useNamed', { name: certificate.holder })}
                onClick={() => onUse(certificate.alias)}
              >
                {t('firstRun.token.use')}
              </Button>
            )}
          </li>
        ))}
      </Rows>
      {asking === null ? null : (
        <PinDialog
          certificate={certificates.find(({ alias }) => alias === asking) ?? null}
          loaded
          documents={0}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}

/** How far the search has come. */
type SearchState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'searching'; readonly product: string }
  | { readonly kind: 'found' }
  /** No driver on this computer finds a token; `tried` is the number of drivers. */
  | { readonly kind: 'none'; readonly tried: number };

interface TokenSearch {
  readonly state: SearchState;
  readonly search: () => Promise<void>;
}

/** Tries the drivers of this computer in order, and adds the first driver with a token. */
function useTokenSearch(): TokenSearch {
  const { bridge, queries } = useCore();
  const [state, setState] = useState<SearchState>({ kind: 'idle' });
  const search = async (): Promise<void> => {
    const added = await bridge.call('modules.list', {});
    const suggested = await bridge.call('modules.suggest', {});
    const candidates = suggested.ok ? suggested.value : [];
    for (const { path, product } of candidates) {
      setState({ kind: 'searching', product });
      const trial = await bridge.call('modules.test', { path });
      if (!trial.ok || !trial.value.works || trial.value.tokens.length === 0) continue;
      if (!(await bridge.call('modules.add', { path })).ok) continue;
      refresh();
      setState({ kind: 'found' });
      return;
    }
    refresh();
    setState({ kind: 'none', tried: candidates.length + (added.ok ? added.value.length : 0) });
  };
  const refresh = (): void => {
    queries.refresh('modules.list', 'modules.suggest', 'certificates.list', 'tokens.list', 'home.read', 'doctor.read');
  };
  return { state, search };
}
