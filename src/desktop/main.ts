/**
 * The main program of the desktop. First it takes the lock of the single instance: a second start passes its arguments
 * to the first and ends without touching a file. Then come the settings that Electron needs before it is ready;
 * everything else is loaded later.
 */
import { app, protocol } from 'electron';
import { keepHeapSmall } from '../app/instance/small-heap.ts';
import { schemePrivileges } from './ui-address.ts';

if (app.requestSingleInstanceLock()) {
  app.enableSandbox();
  keepHeapSmall();
  protocol.registerSchemesAsPrivileged([schemePrivileges]);
  const { runDesktop } = await import('./run-desktop.ts');
  // Must not be awaited: Electron becomes ready only after this module has been evaluated.
  void runDesktop();
} else {
  app.exit(0);
}
