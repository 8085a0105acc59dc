import { suiteConfig } from '../../setup/suite-config.ts';

/** The tests of `npm run stores`: its own, and those that `npm test` runs against stand-ins. */
export default suiteConfig(
  ['test/**/*.stores.ts', 'test/storage/object-stores/*.test.ts', 'test/interface/stores.test.ts'],
  { SINETE_TEST_OBJECT_STORES: 'emulators' },
);
