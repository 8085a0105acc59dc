import type { SettingsStore } from '../settings/index.ts';

const SETTING = 'certificates.default';
const FINGERPRINT = /^[0-9a-f]{64}$/;

/** Lower-case hex SHA-256 of the default certificate; undefined without the user's choice. */
export async function readDefaultCertificate(settings: Pick<SettingsStore, 'read'>): Promise<string | undefined> {
  const value = await settings.read(SETTING);
  return typeof value === 'string' && FINGERPRINT.test(value) ? value : undefined;
}

/** Stores the default certificate; undefined forgets the choice. */
export async function writeDefaultCertificate(
  settings: Pick<SettingsStore, 'write' | 'remove'>,
  fingerprint: string | undefined,
): Promise<void> {
  if (fingerprint === undefined) await settings.remove(SETTING);
  else await settings.write(SETTING, fingerprint);
}
