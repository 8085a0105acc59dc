import { Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrustView } from '../../../../src/ui-contract/ui-contract.ts';
import { CardAction } from '../../components/actions.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { useFinish } from '../../components/use-finish.ts';
import { useCore, useQuery } from '../../data/core-context.ts';
import { formatDay, groupHex } from '../../format/format.ts';
import classes from './settings.module.css';

type Authority = TrustView['refused'][number];

/** The authorities below the roots; their names are asked for when the list is opened. */
export function Authorities({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('settings.trust.intermediates', { count })}</summary>
      {isOpen ? <KnownAuthorities /> : null}
    </details>
  );
}

function KnownAuthorities() {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const finish = useFinish('trust.list', 'doctor.read');
  const { value: trust } = useQuery('trust.list', { authorities: true });
  const [asked, setAsked] = useState<Authority | null>(null);
  const refuse = async ({ fingerprint }: Authority): Promise<void> =>
    finish(await bridge.call('trust.remove', { fingerprint }), t('settings.trust.refused'));
  return (
    <>
      <AuthorityList label={t('settings.trust.authorities')} authorities={trust?.authorities ?? []}>
        {(authority) => (
          <CardAction
            name={t('settings.trust.refuseNamed', { name: authority.name })}
            onClick={() => setAsked(authority)}
          >
            {t('settings.trust.refuse')}
          </CardAction>
        )}
      </AuthorityList>
      {asked === null ? null : (
        <Confirm
          title={t('settings.trust.refuseTitle')}
          text={t('settings.trust.refuseText', { name: asked.name })}
          action={t('settings.trust.refuse')}
          onClose={() => setAsked(null)}
          onConfirm={async () => refuse(asked)}
        />
      )}
    </>
  );
}

/** Roots and authorities that the owner refuses; each can be accepted again. */
export function RefusedAuthorities({ refused }: { readonly refused: readonly Authority[] }) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const finish = useFinish('trust.list', 'doctor.read');
  const accept = async ({ fingerprint }: Authority): Promise<void> =>
    finish(await bridge.call('trust.accept', { fingerprint }), t('settings.trust.accepted'));
  return (
    <>
      <Text size="sm" fw={600}>
        {t('settings.trust.refusedOnes')}
      </Text>
      <AuthorityList label={t('settings.trust.refusedOnes')} authorities={refused}>
        {(authority) => (
          <CardAction
            name={t('settings.trust.acceptNamed', { name: authority.name })}
            onClick={() => void accept(authority)}
          >
            {t('settings.trust.accept')}
          </CardAction>
        )}
      </AuthorityList>
    </>
  );
}

interface AuthorityListProps {
  readonly label: string;
  readonly authorities: readonly Authority[];
  /** The action of each authority. */
  readonly children: (authority: Authority) => ReactNode;
}

function AuthorityList({ label, authorities, children }: AuthorityListProps) {
  const { t, i18n } = useTranslation();
  return (
    <ul className={classes.skipped} aria-label={label}>
      {authorities.map((authority) => {
        const { name, issuer, fingerprint, notAfter } = authority;
        return (
          <li key={fingerprint}>
            {t('settings.trust.authority', { name, issuer, day: formatDay(notAfter, i18n.language) })}
            <br />
            <code className={classes.hex}>{groupHex(fingerprint)}</code> {children(authority)}
          </li>
        );
      })}
    </ul>
  );
}
