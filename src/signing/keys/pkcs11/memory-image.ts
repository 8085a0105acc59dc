import { writeFileSync } from 'node:fs';

/**
 * Keeps the memory of this process out of core files, where the kernel lets a process say so (core(5), Linux): a memory
 * image of the token process could hold a PIN. A shell that starts it sets the size of core files to zero besides;
 * Electron starts it without one.
 */
export function forbidMemoryImage(platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/coredump_filter', '0');
  } catch {
    // Without /proc there is no such switch, and crashes of a driver are seen all the same.
  }
}
