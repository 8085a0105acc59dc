import { describeFailingStores } from './walk-failing-stores.ts';

describeFailingStores('the database');
describeFailingStores('files');
