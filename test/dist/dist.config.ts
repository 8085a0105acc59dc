import { suiteConfig } from '../setup/suite-config.ts';

/** The tests of `npm run dist`. */
export default suiteConfig(['test/**/*.dist.ts']);
