/**
 * Imported first by the programs of another user of the computer: this process becomes that user before the program
 * begins. The programs start as root, because another user may not be able to read Node and the checkout.
 */

/** The user `nobody` of Debian, and its group. */
const NOBODY = 65_534;

process.setgroups?.([]);
process.setgid?.(NOBODY);
process.setuid?.(NOBODY);
if (process.getuid?.() !== NOBODY) throw new Error('Only root can become another user.');
