import { MantineProvider } from '@mantine/core';
import { memo, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApprovals } from '../questions/use-approvals.ts';
import { WaitingBar } from '../questions/waiting-bar.tsx';
import { CoveredContext } from '../components/dialogs/covered-context.ts';
import { ToastProvider } from '../components/toasts.tsx';
import { CoreContext, useBridgeState, type Core } from '../data/core-context.ts';
import { HandOverContext } from '../data/hand-over.ts';
import { awaitFirstFrame } from '../first-frame.ts';
import { HomePage } from '../pages/home/home-page.tsx';
import type { SigningDesk } from '../pages/sign/signing-desk.ts';
import { SigningDeskContext, useAddFiles, useSigningDesk } from '../pages/sign/use-signing-desk.ts';
import { ValidationDeskContext, useValidateFiles } from '../pages/validate/use-validation-desk.ts';
import type { ValidationDesk } from '../pages/validate/validation-desk.ts';
import { LatePage } from './late-pages.tsx';
import { NotLoaded } from '../components/lazy-part.tsx';
import { useSoon } from '../late.tsx';
import { Shell } from './shell.tsx';
import { useRoute, type Route } from '../route.ts';
import { styleNonce } from '../style-nonce.ts';
import { cssVariables, theme } from '../theme.ts';

interface AppProps {
  readonly core: Core;
  readonly desk: SigningDesk;
  readonly validation: ValidationDesk;
}

/** The root component of the window. */
export function App({ core, desk, validation }: AppProps) {
  return (
    <CoreContext value={core}>
      <SigningDeskContext value={desk}>
        <ValidationDeskContext value={validation}>
          <MantineProvider
            theme={theme}
            cssVariablesResolver={cssVariables}
            defaultColorScheme="auto"
            getStyleNonce={styleNonce}
          >
            <ToastProvider>
              <Content />
            </ToastProvider>
          </MantineProvider>
        </ValidationDeskContext>
      </SigningDeskContext>
    </CoreContext>
  );
}

function Content() {
  const state = useBridgeState();
  const { parts, hasFailed: hasFailedToLoad } = useSoon();
  useLayoutEffect(awaitFirstFrame, []);
  const [hasFailed, setHasFailed] = useState(false);
  if (!hasFailed && state !== 'ready' && state !== 'starting') setHasFailed(true);
  // The session opens within moments. Pages are drawn before, and their queries are answered when it is open.
  if (state === 'ready' || (state === 'starting' && !hasFailed)) return <Pages />;
  if (parts === null) return hasFailedToLoad ? <NotLoaded /> : null;
  return <parts.SessionPage state={state} />;
}

/** Memoised: opening the session changes only the answers of queries, not the page. */
const Pages = memo(function Pages() {
  const { t } = useTranslation();
  const route = useRoute();
  const approvals = useApprovals(useSigningDesk());
  const { parts } = useSoon();
  const sign = useAddFiles();
  const validate = useValidateFiles();
  const handOver = useMemo(() => ({ sign, validate }), [sign, validate]);
  const count = approvals.waiting.length;
  useEffect(() => {
    document.title = count > 0 ? t('app.titleWaiting', { count }) : `${t(`app.${route}`)} · ${t('app.name')}`;
  }, [t, route, count]);
  return (
    <CoveredContext value={approvals.current !== null}>
      <Shell
        route={route}
        waitingBar={<WaitingBar count={approvals.postponed} onReview={() => approvals.reviewAll()} />}
      >
        <HandOverContext value={handOver}>
          <Page key={route} route={route} onReview={(tcn) => approvals.review(tcn)} />
        </HandOverContext>
      </Shell>
      {parts === null ? null : <parts.ApprovalHost approvals={approvals} />}
    </CoveredContext>
  );
});

function Page({ route, onReview }: { readonly route: Route; readonly onReview: (tcn: string) => void }) {
  return route === 'home' ? <HomePage onReview={onReview} /> : <LatePage route={route} />;
}
