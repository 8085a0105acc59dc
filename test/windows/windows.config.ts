import { readFileSync } from 'node:fs';
import { mergeConfig } from 'vitest/config';
import { testConfig } from '../setup/test-config.ts';

/** The test files of a run on Windows, as JSON in the file named by `SINETE_WINDOWS_TESTS`. */
const files = JSON.parse(readFileSync(process.env['SINETE_WINDOWS_TESTS'] ?? '', 'utf8')) as readonly string[];

/** A command of the product takes a minute under Wine on a busy machine, and a test runs several. */
export default mergeConfig(testConfig({ files }), { test: { testTimeout: 900_000 } });
