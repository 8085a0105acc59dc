/** Opens the storage of a folder and holds the storage until killed. */
import { openStorage } from '../../src/storage/index.ts';

await openStorage(process.argv[2] ?? '');
console.log('open');
setInterval(() => undefined, 1000);
