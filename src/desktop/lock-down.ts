import { app, type Session, type WebContents } from 'electron';
import { isUiPage } from './ui-address.ts';

/** Denies every permission: the window needs none, and Electron grants all by default. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, callback) => {
    callback(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler(null);
  session.setSpellCheckerEnabled(false);
}

/** Keeps every web contents, even an unintended one, on our own page and in its own window. */
export function lockNavigation(): void {
  app.on('web-contents-created', (_event, contents) => {
    lockContents(contents);
  });
}

function lockContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
  contents.on('will-navigate', (event) => {
    if (!isUiPage(event.url)) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    if (!isUiPage(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    event.preventDefault();
  });
}
