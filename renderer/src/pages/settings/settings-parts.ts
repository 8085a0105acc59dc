/** The parts of Settings; the address of each but the first says which: `#/settings?part=network`. */
export const settingsParts = ['keys', 'network', 'deliveries', 'data'] as const;

export type SettingsPart = (typeof settingsParts)[number];

/** Address of a part, for links. */
export function hrefOfPart(part: SettingsPart): string {
  return part === 'keys' ? '#/settings' : `#/settings?part=${part}`;
}
