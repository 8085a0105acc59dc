import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CachedUserView } from '../../../../src/ui-contract/site-calls.ts';
import type { CertificateView } from '../../../../src/ui-contract/ui-contract.ts';
import { maskEveryNumber } from '../../../../src/text/taxpayer-number.ts';
import { CardAction } from '../../components/actions.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { RowsPlaceholder } from '../../components/page.tsx';
import { Mark } from '../../components/status.tsx';
import { Validity } from '../../components/validity.tsx';
import { useCore, useQuery } from '../../data/core-context.ts';
import { useFinish } from '../../components/use-finish.ts';
import classes from './users.module.css';

interface LinkingDialogProps {
  readonly user: CachedUserView;
  readonly onClose: () => void;
}

/** The certificates of a user of this computer, and certificates to link by hand. */
export function LinkingDialog({ user, onClose }: LinkingDialogProps) {
  const { t } = useTranslation();
  const certificates = useQuery('certificates.list', {});
  const { link, unlink } = useLinks(user.username);
  const others = certificates.value?.filter(
    ({ fingerprint }) => !user.certificates.some((one) => one.fingerprint === fingerprint),
  );
  const find = (fingerprint: string): CertificateView | null =>
    certificates.value?.find((one) => one.fingerprint === fingerprint) ?? null;
  return (
    <Dialog title={t('users.linking.title', { name: user.name })} onClose={onClose} size="lg" closeOnClickOutside>
      <Stack gap="lg">
        <Text size="sm" c="dimmed">
          {t('users.linking.text')}
        </Text>
        <div>
          <Title order={3} size="sm" mb={6}>
            {t('users.linking.mine')}
          </Title>
          {user.certificates.length === 0 ? <Text size="sm">{t('users.linking.nothing')}</Text> : null}
          {user.certificates.length === 0 ? null : (
            <ul className={classes.links}>
              {user.certificates.map((one) => (
                <OwnCertificate
                  key={one.fingerprint}
                  own={one}
                  certificate={find(one.fingerprint)}
                  onUnlink={() => void unlink(one.fingerprint)}
                />
              ))}
            </ul>
          )}
        </div>
        <div>
          <Title order={3} size="sm" mb={6}>
            {t('users.linking.others')}
          </Title>
          {others === undefined ? <RowsPlaceholder /> : null}
          {others?.length === 0 ? <Text size="sm">{t('users.linking.noOthers')}</Text> : null}
          {others === undefined || others.length === 0 ? null : (
            <ul className={classes.links}>
              {others.map((certificate) => (
                <OtherCertificate
                  key={certificate.fingerprint}
                  certificate={certificate}
                  onLink={() => void link(certificate.fingerprint)}
                />
              ))}
            </ul>
          )}
        </div>
      </Stack>
    </Dialog>
  );
}

function useLinks(username: string) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const finish = useFinish('assistant.users');
  return {
    link: async (fingerprint: string) =>
      finish(await bridge.call('assistant.link', { username, fingerprint }), t('users.linking.linked')),
    unlink: async (fingerprint: string) =>
      finish(await bridge.call('assistant.unlink', { username, fingerprint }), t('users.linking.unlinked')),
  };
}

interface OwnCertificateProps {
  readonly own: CachedUserView['certificates'][number];
  /** Null if the certificate's token was removed. */
  readonly certificate: CertificateView | null;
  readonly onUnlink: () => void;
}

function OwnCertificate({ own, certificate, onUnlink }: OwnCertificateProps) {
  const { t } = useTranslation();
  const name = certificate?.holder ?? maskEveryNumber(own.alias);
  return (
    <li>
      <div className={classes.rowText}>
        <About certificate={certificate} name={name}>
          <Mark tone={own.linked ? 'accent' : 'neutral'} icon={own.linked ? 'pin' : 'good'}>
            {own.linked ? t('users.linking.byHand') : t('users.linking.byNumber')}
          </Mark>
          {own.present ? null : (
            <Mark tone="neutral" icon="unplugged">
              {t('users.linking.absent')}
            </Mark>
          )}
        </About>
      </div>
      {own.linked ? (
        <CardAction
          name={t('users.linking.unlinkNamed', { name, issuer: certificate?.issuer ?? '' })}
          onClick={onUnlink}
        >
          {t('users.linking.unlink')}
        </CardAction>
      ) : null}
    </li>
  );
}

interface OtherCertificateProps {
  readonly certificate: CertificateView;
  readonly onLink: () => void;
}

function OtherCertificate({ certificate, onLink }: OtherCertificateProps) {
  const { t } = useTranslation();
  const { holder, issuer } = certificate;
  return (
    <li>
      <div className={classes.rowText}>
        <About certificate={certificate} name={holder} />
      </div>
      <CardAction name={t('users.linking.linkNamed', { name: holder, issuer })} onClick={onLink}>
        {t('users.linking.link')}
      </CardAction>
    </li>
  );
}

interface AboutProps {
  readonly certificate: CertificateView | null;
  readonly name: string;
  /** Marks beside its validity. */
  readonly children?: ReactNode;
}

function About({ certificate, name, children }: AboutProps) {
  return (
    <>
      <Text fw={550} className={classes.wrap}>
        {name}
      </Text>
      {certificate === null ? null : (
        <Text size="sm" c="dimmed" className={classes.wrap}>
          {[certificate.taxpayerNumber, certificate.issuer].filter((text) => text !== null).join(' · ')}
        </Text>
      )}
      <Group gap={6} mt={4}>
        {certificate === null ? null : <Validity certificate={certificate} />}
        {children}
      </Group>
    </>
  );
}
