import { spawn } from 'node:child_process';

/**
 * Tells systemd the state of this process (sd_notify(3)): `READY=1`, `STOPPING=1`. Does nothing under other
 * supervisors. Node has no datagram sockets of the local system, so systemd's own command sends the message; the unit
 * needs `Type=notify` and `NotifyAccess=all`.
 */
export function notifySupervisor(
  state: 'READY=1' | 'STOPPING=1',
  environment: NodeJS.ProcessEnv = process.env,
  command = 'systemd-notify',
): void {
  if (environment.NOTIFY_SOCKET === undefined) return;
  const child = spawn(command, [`--pid=${process.pid}`, state], { env: environment, stdio: 'ignore' });
  // A system without the command has no systemd to tell.
  child.on('error', () => undefined);
  child.unref();
}
