import { spawn } from 'node:child_process';

/**
 * Reports the state of this process to systemd (sd_notify(3)): `READY=1`, `STOPPING=1`. Does nothing under other
 * supervisors. Node has no Unix datagram sockets, so the command `systemd-notify` sends the message; the unit needs
 * `Type=notify` and `NotifyAccess=all`.
 */
export function notifySupervisor(
  state: 'READY=1' | 'STOPPING=1',
  environment: NodeJS.ProcessEnv = process.env,
  command = 'systemd-notify',
): void {
  if (environment.NOTIFY_SOCKET === undefined) return;
  const child = spawn(command, [`--pid=${process.pid}`, state], { env: environment, stdio: 'ignore' });
  // A system without the command has no systemd to notify.
  child.on('error', () => undefined);
  child.unref();
}
