import { testConfig } from './test-config.ts';

/** The tests of `npm test`. */
export default testConfig({
  files: ['test/**/*.test.ts'],
  ownProcess: ['test/desktop/*.test.ts', 'test/signing/workers/*.test.ts', 'test/signing/validation/hostile.test.ts'],
  except: ['test/**/*.long.test.ts'],
});
