import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { helpBelow, technical, textField } from '../../components/fields/fields.ts';
import type { SiteView } from '../../../../src/ui-contract/site-calls.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';
import { useSubmit } from '../../data/use-submit.ts';
import { LookAlikeNotice } from '../../questions/look-alike-notice.tsx';
import { daysOf, grantDurations, grantScopes, type GrantDuration } from '../../questions/scopes.ts';
import { DurationChoices, ScopeChoices } from '../../questions/scope-choices.tsx';
import { SiteNameText } from '../../questions/site-name-text.tsx';
import classes from './sites.module.css';

interface SiteDialogProps {
  /** Null for a new site. */
  readonly site: SiteView | null;
  /** The origin proposed by a link for a new site. */
  readonly proposed?: string;
  readonly onClose: () => void;
}

const everything = grantScopes.map(({ scope }) => scope);
/** A plain http site may ask for signatures, and read nothing. */
const plainScopes: SiteView['scopes'] = ['sign'];

/** The exact origin of an extension or of an application. */
const NAMED = /^(chrome-extension|moz-extension|app):\/\/[a-z0-9][a-z0-9.-]*$/;
const LOCAL = /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/;

/** True for an origin without a path: https, http, or the exact origin of an extension or an application. */
function isOrigin(text: string): boolean {
  if (NAMED.test(text.trim())) return true;
  const url = URL.parse(text.trim());
  const plain = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  return plain && (url.protocol === 'https:' || url.protocol === 'http:');
}

/** True for an http origin that is not on this computer: anybody on its network can speak in its name. */
function isPlainHttp(text: string): boolean {
  const url = URL.parse(text.trim());
  return url?.protocol === 'http:' && !LOCAL.test(url.hostname);
}

/** The permissions of a site, with their duration. */
export function SiteDialog({ site, proposed = '', onClose }: SiteDialogProps) {
  const { t } = useTranslation();
  const { bridge, queries } = useCore();
  const toasts = useToasts();
  const [origin, setOrigin] = useState(site?.origin ?? proposed);
  const [scopes, setScopes] = useState<SiteView['scopes']>(site?.scopes ?? ['certificates:read', 'sign']);
  const [duration, setDuration] = useState<GrantDuration>(site?.expiresAt === null ? 'revoked' : 'month');
  const [checked, setChecked] = useState(false);
  const saving = useSubmit();
  const originError = isOrigin(origin) ? null : t('sites.originError');
  const submit = async (form: HTMLFormElement): Promise<void> => {
    setChecked(true);
    if (originError !== null || scopes.length === 0) {
      form.querySelector('input')?.focus();
      return;
    }
    const change = isPlainHttp(origin)
      ? { origin: origin.trim(), scopes: plainScopes, days: daysOf(duration), insecure: true }
      : { origin: origin.trim(), scopes, days: daysOf(duration) };
    if ((await saving.submit(bridge.call('sites.change', change))) === null) return;
    queries.refresh('sites.list', 'consent.questions');
    toasts.done(t('sites.saved'));
    onClose();
  };
  return (
    <FormDialog
      title={site === null ? t('sites.addTitle') : t('sites.dialogTitle')}
      size="lg"
      gap="lg"
      error={saving.error}
      busy={saving.busy}
      submit={t('sites.save')}
      onSubmit={submit}
      onClose={onClose}
    >
      {site === null ? (
        <OriginField origin={origin} error={checked ? originError : null} onChange={setOrigin} />
      ) : (
        <KnownSite site={site} />
      )}
      {isPlainHttp(origin) ? (
        <Notice kind="warning" title={t('sites.plainTitle')}>
          {t('sites.plainText')}
        </Notice>
      ) : null}
      <ScopeChoices
        label={t('sites.scopesTitle')}
        offered={isPlainHttp(origin) ? plainScopes : everything}
        chosen={isPlainHttp(origin) ? plainScopes : scopes}
        onChange={(chosen) => setScopes([...chosen])}
      />
      <DurationChoices offered={grantDurations} duration={duration} onChange={setDuration} />
    </FormDialog>
  );
}

interface OriginFieldProps {
  readonly origin: string;
  readonly error: string | null;
  readonly onChange: (origin: string) => void;
}

/** The address of a new site. */
function OriginField({ origin, error, onChange }: OriginFieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      data-autofocus
      required
      type="url"
      label={t('sites.origin')}
      description={t('sites.originHelp')}
      inputWrapperOrder={helpBelow}
      placeholder="https://"
      {...technical}
      maxLength={300}
      {...textField(origin, onChange, error)}
    />
  );
}

/** The name and the address of a site that has permissions, with a warning about a name that looks like another. */
function KnownSite({ site }: { readonly site: SiteView }) {
  return (
    <>
      <div>
        <SiteNameText displayOrigin={site.displayOrigin} big />
        <div className={classes.origin}>{site.origin}</div>
      </div>
      <LookAlikeNotice {...site} />
    </>
  );
}
