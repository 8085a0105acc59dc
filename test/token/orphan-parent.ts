/** A parent for a test to kill: asks a hanging driver, and prints the number of the child process. */
import { referenceModule, TokenKeySource } from '../../src/signing/index.ts';

const [modulePath, environment] = process.argv.slice(2);
const module = await referenceModule(modulePath!);
const source = new TokenKeySource({ module, environment: JSON.parse(environment!) as Record<string, string> });
source.list().catch(() => {
  // The driver hangs until this process is killed.
});
setTimeout(() => console.log(source.processId), 1_500);
