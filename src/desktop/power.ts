import { powerMonitor } from 'electron';
import type { Sinete } from '../app/instance/start-sinete.ts';
import type { CertificateView } from '../ui-contract/ui-contract.ts';

/** Logs out of every token when the user leaves: the screen is locked, or the computer sleeps or shuts down. */
export function lockTokensWhenAway(sinete: Pick<Sinete, 'callUi'>): void {
  const lock = (): void => {
    void lockTokens(sinete);
  };
  powerMonitor.on('lock-screen', lock);
  powerMonitor.on('suspend', lock);
  powerMonitor.on('shutdown', lock);
  powerMonitor.on('user-did-resign-active', lock);
}

/** Logs out of each token with an open session; a failure does not stop the other log-outs. */
export async function lockTokens(sinete: Pick<Sinete, 'callUi'>): Promise<void> {
  const list = await sinete.callUi('certificates.list', {});
  const certificates = list.ok ? (list.value as readonly CertificateView[]) : [];
  const open = new Map(
    certificates.flatMap(({ token, alias }) => (token?.loggedIn === true ? [[token.serialNumber, alias]] : [])),
  );
  await Promise.all([...open.values()].map(async (alias) => sinete.callUi('certificates.lock', { alias })));
}
