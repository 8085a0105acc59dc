import { testConfig } from './test-config.ts';

/** The tests of `npm test`. */
export default testConfig({
  files: ['test/**/*.test.ts'],
  ownProcess: ['test/desktop/*.test.ts'],
  except: ['test/**/*.long.test.ts'],
});
