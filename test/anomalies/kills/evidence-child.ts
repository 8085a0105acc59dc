/**
 * An instance ending by `kill -9` right before its n-th call changing the disk. Parameters: its root folder, its task,
 * and n. Ends with 0 when the task needs fewer calls.
 */
import { letTimePass } from '../../setup/waits.ts';
import { arm, installFaults } from '../faults.ts';
import { openArchive, openEvidenceWorld, readPki } from './evidence-world.ts';

const [, , root = '', task = '', n = '1'] = process.argv;

await installFaults();
const pki = readPki(root);
const world = await openEvidenceWorld(root, pki);
arm({ kind: 'disk', n: Number(n), lasting: false, folder: root, fault: 'KILL' });
if (task === 'extend') {
  await world.transactions.resume();
  while ((await world.storage.transactions.pendingEvidence(1)).length > 0) await letTimePass(5);
} else {
  await openArchive(world.storage, pki).look();
}
process.exit(0);
