import '@mantine/core/styles.layer.css';
import './global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './shell/app.tsx';
import { QueryCache } from './data/query-cache.ts';
import { onLanguage, preferredLanguage, startTexts } from './i18n/i18n.ts';
import { openBridge } from './bridge/open-bridge.ts';
import { SigningDesk } from './pages/sign/signing-desk.ts';
import { shareStyleNonce } from './style-nonce.ts';
import { ValidationDesk } from './pages/validate/validation-desk.ts';

shareStyleNonce();
const bridge = openBridge();
await startTexts();
const validation = new ValidationDesk(bridge, preferredLanguage());
onLanguage((language) => {
  // The tray icon uses the language of the window.
  void bridge.desktop?.call('desktop.setLanguage', { language });
  void validation.speak(language);
});

const core = { bridge, queries: new QueryCache(bridge) };
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
createRoot(root).render(
  <StrictMode>
    <App core={core} desk={new SigningDesk(bridge)} validation={validation} />
  </StrictMode>,
);
