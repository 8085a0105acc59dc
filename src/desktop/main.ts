/**
 * The program of the desktop. Its first step is the lock of the single instance: a second start hands its arguments to
 * the first and ends without touching a file. Electron's settings before readiness follow; the rest is loaded then.
 */
import { app, protocol } from 'electron';
import { keepHeapSmall } from '../app/instance/small-heap.ts';
import { schemePrivileges } from './ui-address.ts';

if (app.requestSingleInstanceLock()) {
  app.enableSandbox();
  keepHeapSmall();
  protocol.registerSchemesAsPrivileged([schemePrivileges]);
  const { runDesktop } = await import('./run-desktop.ts');
  // Not awaited: Electron becomes ready only when this module has been evaluated.
  void runDesktop();
} else {
  app.exit(0);
}
