import { suiteConfig } from '../../setup/suite-config.ts';

/** The files of `npm run postgres`: all opening their storage with `openTestStorage`. */
export default suiteConfig([
  'test/storage/sql/sql-*.test.ts',
  'test/storage/small-documents.test.ts',
  'test/service/{administration,applications,authorization,consent,notifications,renewals,transactions,users}/**/*.test.ts',
]);
