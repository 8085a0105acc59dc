import { Button, Text } from '@mantine/core';
import { FileDown, WifiOff } from '../components/icons/index.ts';
import { useCallback, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Logo } from '../components/logo.tsx';
import { useFileDrop } from '../components/use-file-drop.ts';
import { useConnection, useCore } from '../data/core-context.ts';
import { useAddFiles } from '../pages/sign/use-signing-desk.ts';
import { useValidateFiles } from '../pages/validate/use-validation-desk.ts';
import { useSoon } from '../late.tsx';
import { Navigation } from './navigation.tsx';
import { PreferencesButton } from './preferences-button.tsx';
import { goTo, hrefOf, type Route } from '../route.ts';
import classes from './shell.module.css';
import { useIsNarrow } from './use-is-narrow.ts';

interface ShellProps {
  readonly route: Route;
  /** Shows the number of postponed questions. */
  readonly waitingBar: ReactNode;
  readonly children: ReactNode;
}

/**
 * The frame of every page: navigation, preferences, state of the connection, and file drop. Files dropped on the page
 * Validate are validated; files dropped on any other page are chosen for signing.
 */
export function Shell({ route, waitingBar, children }: ShellProps) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const { parts } = useSoon();
  const addFiles = useAddFiles();
  const validateFiles = useValidateFiles();
  const onFiles = useCallback(
    (files: readonly File[]) => {
      if (route === 'validate') {
        void validateFiles(files);
        return;
      }
      goTo('sign');
      void addFiles(files);
    },
    [route, addFiles, validateFiles],
  );
  const { over, handlers } = useFileDrop(onFiles);
  return (
    <div className={classes.shell} {...handlers}>
      <SkipLink />
      <div className={classes.side}>
        <header className={classes.brand}>
          <a href={hrefOf('home')} className={classes.brandLink}>
            <Logo size={32} />
            <span>{t('app.name')}</span>
          </a>
          {isNarrow ? <Preferences compact /> : null}
        </header>
        <Navigation route={route} />
        {isNarrow ? null : (
          <section className={classes.preferences} aria-label={t('preferences.title')}>
            <Preferences compact={false} />
          </section>
        )}
      </div>
      <main id="content" className={classes.main} tabIndex={-1}>
        <ConnectionBar />
        {parts === null ? null : <parts.UrgentBar />}
        {waitingBar}
        {children}
      </main>
      {over ? (
        <div className={classes.dropOverlay} aria-hidden>
          <FileDown size={44} />
          <Text size="xl" fw={600}>
            {t('sign.dropHere')}
          </Text>
        </div>
      ) : null}
    </div>
  );
}

/** A link that lets keyboard users skip the navigation. */
function SkipLink() {
  const { t } = useTranslation();
  return (
    <a
      className={classes.skip}
      href="#content"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('content')?.focus();
      }}
    >
      {t('app.skip')}
    </a>
  );
}

/** Lets the user choose language and colours, and stores the choice. */
function Preferences({ compact }: { readonly compact: boolean }) {
  const [isAsked, setAsked] = useState(false);
  const { parts } = useSoon();
  return parts === null ? (
    <PreferencesButton compact={compact} aria-haspopup="menu" onClick={() => setAsked(true)} />
  ) : (
    <parts.PreferencesMenu compact={compact} isOpened={isAsked} />
  );
}

function ConnectionBar() {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const connection = useConnection();
  return (
    <div role="status">
      {connection === 'lost' ? (
        <div className={classes.lost}>
          <WifiOff size={18} aria-hidden />
          <span>{t('app.lost')}</span>
          <Button size="compact-sm" variant="default" onClick={() => bridge.retry()}>
            {t('app.tryNow')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
