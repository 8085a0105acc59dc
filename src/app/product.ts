import packageJson from '../../package.json' with { type: 'json' };

/** What this program calls itself. */
export const product = { name: 'Sinete', version: packageJson.version } as const;
