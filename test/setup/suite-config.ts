import type { ViteUserConfig } from 'vitest/config';
import { testConfig } from './test-config.ts';

/** The usual configuration with the test files of a named suite instead of the files of `npm test`. */
export function suiteConfig(include: readonly string[], env: Readonly<Record<string, string>> = {}): ViteUserConfig {
  return testConfig({ files: include, ownProcess: include, environment: env });
}
