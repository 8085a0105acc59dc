/**
 * The program of the desktop. Before anything else it finds out whether it is the first one: a second start hands its
 * arguments to the first and ends without having touched a file. What Electron wants to know before it is ready follows;
 * the rest is loaded then.
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
