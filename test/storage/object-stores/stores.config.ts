import { suiteConfig } from '../../setup/suite-config.ts';

/** The tests of `npm run stores`: its own, and the tests run by `npm test` against stand-ins. */
export default suiteConfig(
  ['test/**/*.stores.ts', 'test/storage/object-stores/*.test.ts', 'test/interface/stores.test.ts'],
  { SINETE_TEST_OBJECT_STORES: 'emulators' },
);
