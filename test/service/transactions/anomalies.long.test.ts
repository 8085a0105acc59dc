import { describeFailingStores } from './walk-failing-stores.ts';

describeFailingStores('files');
