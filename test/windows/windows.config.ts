import { readFileSync } from 'node:fs';
import { testConfig } from '../setup/test-config.ts';

/** The test files of a run on Windows, as JSON in the file that `SINETE_WINDOWS_TESTS` names. */
export default testConfig({
  files: JSON.parse(readFileSync(process.env['SINETE_WINDOWS_TESTS'] ?? '', 'utf8')) as readonly string[],
});
