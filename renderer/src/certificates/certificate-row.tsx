import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core';
import { EllipsisVertical, FileBadge, Info, Lock, Star, Trash2, Usb } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateView } from '../../../src/ui-contract/ui-contract.ts';
import { PinDialog } from '../approval/pin-dialog.tsx';
import { Confirm } from '../components/confirm.tsx';
import { Mark } from '../components/status.tsx';
import { Validity } from '../components/validity.tsx';
import classes from './certificates.module.css';
import { useCertificateActions } from './use-certificate-actions.ts';

interface CertificateRowProps {
  readonly certificate: CertificateView;
  readonly onDescribe: () => void;
}

/** One certificate: whose, from whom, until when, where, and what can be done with it. */
export function CertificateRow({ certificate, onDescribe }: CertificateRowProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<'pin' | 'remove' | null>(null);
  const actions = useCertificateActions(certificate);
  const Icon = certificate.source === 'token' ? Usb : FileBadge;
  const source =
    certificate.token === null ? t('certificates.file') : t('certificates.token', { label: certificate.token.label });
  return (
    <li className={classes.row}>
      <span className={classes.rowIcon}>
        <Icon size={22} aria-hidden />
      </span>
      <div className={classes.rowText}>
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
      </div>
      <Group gap="xs" wrap="nowrap" className={classes.rowActions}>
        {certificate.locked ? (
          <Button
            size="xs"
            aria-label={t('certificates.unlockNamed', { name: certificate.holder })}
            onClick={() => setAsking('pin')}
          >
            {t('certificates.unlock')}
          </Button>
        ) : null}
        <Button
          size="xs"
          variant="default"
          leftSection={<Info size={16} aria-hidden />}
          aria-label={t('certificates.detailsOf', { name: certificate.holder })}
          onClick={onDescribe}
        >
          {t('certificates.details')}
        </Button>
        <RowMenu certificate={certificate} actions={actions} onRemove={() => setAsking('remove')} />
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
    </li>
  );
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
      {certificate.locked ? (
        <Mark tone="neutral" icon="locked">
          {t('certificates.locked')}
        </Mark>
      ) : null}
      {certificate.token?.loggedIn === true && !certificate.locked ? (
        <Mark tone="good" icon="unlocked">
          {t('certificates.unlocked')}
        </Mark>
      ) : null}
    </>
  );
}

interface RowMenuProps {
  readonly certificate: CertificateView;
  readonly actions: ReturnType<typeof useCertificateActions>;
  readonly onRemove: () => void;
}

function RowMenu({ certificate, actions, onRemove }: RowMenuProps) {
  const { t } = useTranslation();
  const lockable = certificate.source === 'token' && certificate.token?.loggedIn === true && !certificate.locked;
  const removable = certificate.source === 'file';
  if (certificate.isDefault && !lockable && !removable) return null;
  return (
    <Menu position="bottom-end" shadow="lg" withInitialFocusPlaceholder={false} portalProps={{ target: '#content' }}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('certificates.actionsOf', { name: certificate.holder })}
        >
          <EllipsisVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('certificates.actionsOf', { name: certificate.holder })}>
        {certificate.isDefault ? null : (
          <Menu.Item leftSection={<Star size={16} aria-hidden />} onClick={() => void actions.setDefault()}>
            {t('certificates.setDefault')}
          </Menu.Item>
        )}
        {lockable ? (
          <Menu.Item leftSection={<Lock size={16} aria-hidden />} onClick={() => void actions.lock()}>
            {t('certificates.lock')}
          </Menu.Item>
        ) : null}
        {removable ? (
          <Menu.Item c="var(--mantine-color-error)" leftSection={<Trash2 size={16} aria-hidden />} onClick={onRemove}>
            {t('certificates.remove')}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
