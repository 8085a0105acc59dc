import { WINDOW_FORM } from './built-window.ts';
import { testConfig } from './test-config.ts';

/** The tests run by `npm run test:all` only. */
export default testConfig({
  files: ['test/**/*.long.test.ts'],
  ownProcess: ['test/desktop/*.long.test.ts'],
  environment: { [WINDOW_FORM]: 'development' },
});
