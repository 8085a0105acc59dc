/**
 * An instance that signs hashes, to be killed. Parameter: its folder. Prints `ready ADDRESS`. Reads lines: `approve TCN`
 * answers the question about a transaction.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readConfiguration } from '../../../src/app/config/config.ts';
import { startSinete } from '../../../src/app/instance/start-sinete.ts';

const [, , folder = ''] = process.argv;
const environment = {
  SINETE_SECRET_STORE_MODE: 'key-file',
  SINETE_SECRET_STORE_KEY_FILE: join(folder, 'key'),
};
const dataFolder = join(folder, 'data');
const configuration = await readConfiguration({ dataFolder, environment });
const sinete = await startSinete({ dataFolder, configuration: { ...configuration, port: 0, approve: 'ask' } });
const calls = sinete.handlers['user-interface'];
if ((await calls['certificates.list']({})).length === 0) {
  await calls['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: '11144477735' });
}
process.stdout.write(`ready ${sinete.baseUrl}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const [, tcn = ''] = /^approve (\S+)$/.exec(line) ?? [];
  // The answer may never come: the process is killed meanwhile.
  calls['approvals.decide']({ tcn, decision: 'approve' }).catch(() => undefined);
}
