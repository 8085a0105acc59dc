import packageJson from '../../package.json' with { type: 'json' };

/** This program's name and version. */
export const product = { name: 'Sinete', version: packageJson.version } as const;
