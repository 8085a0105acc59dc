/**
 * Imported first by the programs of another user of the computer: this process becomes that user before the program
 * begins. The programs start as root, because another user may not be able to read Node and the checkout.
 */
import { readFileSync } from 'node:fs';

/** The user `nobody` of Debian, and its group. */
const NOBODY = 65_534;

/** Some user namespaces keep the groups of their processes (user_namespaces(7)); the user still becomes another one. */
function keepsGroups(): boolean {
  try {
    return readFileSync('/proc/self/setgroups', 'latin1').trim() === 'deny';
  } catch {
    return false;
  }
}

if (process.getuid?.() !== 0) throw new Error('Only root can become another user.');
if (!keepsGroups()) process.setgroups?.([]);
process.setgid?.(NOBODY);
process.setuid?.(NOBODY);
const users = [process.getuid(), process.geteuid?.()];
if (users.some((user) => user !== NOBODY)) throw new Error('This process is still the same user.');
