import { WINDOW_FORM } from './built-window.ts';
import { testConfig } from './test-config.ts';

/** The tests that only `npm run test:all` runs. */
export default testConfig({
  files: ['test/**/*.long.test.ts'],
  ownProcess: ['test/desktop/*.long.test.ts'],
  environment: { [WINDOW_FORM]: 'development' },
});
