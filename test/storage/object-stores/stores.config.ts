import { defineConfig, mergeConfig } from 'vitest/config';
import usual from '../../setup/vitest.config.ts';

/** The usual configuration with the tests of `npm run stores` instead of those of `npm test`. */
export default mergeConfig(
  { ...usual, test: { ...usual.test, include: [] } },
  defineConfig({ test: { include: ['test/**/*.stores.ts'] } }),
);
