import { Button, Group, Text } from '@mantine/core';
import { FileBadge, Globe, Info, Lock, Star, Trash2, Usb } from '../../components/icons/index.ts';
import { useState } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { CertificateView } from '../../../../src/ui-contract/ui-contract.ts';
import { PinDialog } from '../../questions/pin-dialog.tsx';
import { CardAction } from '../../components/actions.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import { EntryIcon, EntryRow } from '../../components/entry-row.tsx';
import { RowMenu, RowMenuItem } from '../../components/menus/row-menu.tsx';
import { Mark } from '../../components/status.tsx';
import { Validity } from '../../components/validity.tsx';
import { useCore } from '../../data/core-context.ts';
import { useFinish } from '../../components/use-finish.ts';
import classes from './certificates.module.css';

interface CertificateRowProps {
  readonly certificate: CertificateView;
  readonly onDescribe: () => void;
}

/** A certificate: its holder, issuer, end, place, and actions. */
export function CertificateRow({ certificate, onDescribe }: CertificateRowProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<'pin' | 'remove' | null>(null);
  const actions = useCertificateActions(certificate);
  const source = placeWords(certificate, t);
  return (
    <EntryRow
      sign={
        <EntryIcon icon={certificate.source === 'token' ? Usb : certificate.source === 'browser' ? Globe : FileBadge} />
      }
      actions={
        <Group gap="xs" wrap="nowrap">
          {certificate.locked ? (
            <Button
              size="xs"
              aria-label={t('certificates.unlockNamed', { name: certificate.holder })}
              onClick={() => setAsking('pin')}
            >
              {t('certificates.unlock')}
            </Button>
          ) : null}
          <CardAction icon={Info} name={t('certificates.detailsOf', { name: certificate.holder })} onClick={onDescribe}>
            {t('certificates.details')}
          </CardAction>
          <CertificateMenu certificate={certificate} actions={actions} onRemove={() => setAsking('remove')} />
        </Group>
      }
    >
      <Text fw={600} className={classes.wrap}>
        {certificate.holder}
      </Text>
      <Text size="sm" c="dimmed" className={classes.wrap}>
        {[certificate.taxpayerNumber, t('certificates.issuedBy', { name: certificate.issuer }), source]
          .filter((text) => text !== null)
          .join(' · ')}
      </Text>
      <Group gap={6} mt={8}>
        <Marks certificate={certificate} />
      </Group>
      {asking === 'pin' ? (
        <PinDialog certificate={certificate} loaded documents={0} onClose={() => setAsking(null)} />
      ) : null}
      {asking === 'remove' ? (
        <Confirm
          title={t('certificates.removeTitle')}
          text={t('certificates.removeText', { name: certificate.holder })}
          action={t('common.remove')}
          onClose={() => setAsking(null)}
          onConfirm={actions.remove}
        />
      ) : null}
    </EntryRow>
  );
}

/** The place of the key in words. */
function placeWords({ source, place }: CertificateView, t: TFunction): string {
  if (source === 'browser') return place;
  return source === 'file' ? t('certificates.file') : t('certificates.token', { label: place });
}

function Marks({ certificate }: { readonly certificate: CertificateView }) {
  const { t } = useTranslation();
  return (
    <>
      <Validity certificate={certificate} />
      {certificate.isDefault ? (
        <Mark tone="accent" icon="star">
          {t('certificates.default')}
        </Mark>
      ) : null}
      {certificate.isTest ? (
        <Mark tone="warning" icon="test">
          {t('certificates.test')}
        </Mark>
      ) : null}
      {certificate.hasKey ? null : (
        <Mark tone="bad" icon="bad">
          {t('certificates.withoutKey')}
        </Mark>
      )}
      {certificate.locked ? (
        <Mark tone="neutral" icon="pin">
          {t('certificates.locked')}
        </Mark>
      ) : null}
      {certificate.token?.loginRequired === true && certificate.token.loggedIn ? (
        <Mark tone="good" icon="unlocked">
          {t('certificates.unlocked')}
        </Mark>
      ) : null}
    </>
  );
}

interface CertificateMenuProps {
  readonly certificate: CertificateView;
  readonly actions: ReturnType<typeof useCertificateActions>;
  readonly onRemove: () => void;
}

function CertificateMenu({ certificate, actions, onRemove }: CertificateMenuProps) {
  const { t } = useTranslation();
  const lockable = certificate.token?.loginRequired === true && certificate.token.loggedIn && certificate.hasKey;
  const removable = certificate.source === 'file';
  if (certificate.isDefault && !lockable && !removable) return null;
  return (
    <RowMenu name={t('certificates.actionsOf', { name: certificate.holder })}>
      {certificate.isDefault ? null : (
        <RowMenuItem icon={Star} onClick={() => void actions.setDefault()}>
          {t('certificates.setDefault')}
        </RowMenuItem>
      )}
      {lockable ? (
        <RowMenuItem icon={Lock} onClick={() => void actions.lock()}>
          {t('certificates.lock')}
        </RowMenuItem>
      ) : null}
      {removable ? (
        <RowMenuItem icon={Trash2} danger onClick={onRemove}>
          {t('certificates.remove')}
        </RowMenuItem>
      ) : null}
    </RowMenu>
  );
}

/** Immediate actions on a certificate; each reports its outcome. */
interface CertificateActions {
  readonly setDefault: () => Promise<void>;
  readonly lock: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** The actions of a certificate. */
function useCertificateActions(certificate: CertificateView): CertificateActions {
  const { bridge } = useCore();
  const { t } = useTranslation();
  const { alias, holder } = certificate;
  const finish = useFinish('certificates.list', 'certificates.describe', 'tokens.list', 'home.read');
  return {
    setDefault: async () =>
      finish(
        await bridge.call('certificates.setDefault', { alias }),
        t('certificates.becameDefault', { name: holder }),
      ),
    lock: async () => finish(await bridge.call('certificates.lock', { alias }), t('certificates.lockedNow')),
    remove: async () => finish(await bridge.call('certificates.remove', { alias }), t('certificates.removed')),
  };
}
