/** The usual tests to run on Windows, and the reasons against the others. */
import { globSync } from 'node:fs';
import { AskedPackages } from '../setup/asked-packages.ts';
import { root } from '../setup/runs.ts';

/** Folders with tests of code for Windows too. */
const folders = ['http', 'interface', 'network', 'service', 'signing', 'storage', 'test-authority', 'text'];

/** Test files of these folders without a meaning for Windows, with the reason. */
const aboutLinux: Readonly<Record<string, string>> = {
  'test/service/consent/file-grants.test.ts': 'names folders of Linux',
  'test/service/transactions/intake/document-places.test.ts': 'names folders of Linux',
  'test/storage/files/file-roots.test.ts': 'makes links to folders, which Wine does not follow',
};

/** Test files by their fate; paths are relative to the repository. */
export interface Choice {
  readonly run: readonly string[];
  /** Reason → files. */
  readonly left: ReadonlyMap<string, readonly string[]>;
}

/** Leaves out the files starting programs of Debian, and the files of the list above. */
export function chooseUnitTests(): Choice {
  const pattern = `test/{${folders.join(',')}}/**/*.test.ts`;
  const files = globSync(pattern, { cwd: root, exclude: (path) => /\.long\.test\.ts$|object-stores/.test(path) });
  const reader = new AskedPackages(root);
  const run: string[] = [];
  const left = new Map<string, string[]>();
  for (const file of files.sort()) {
    const asked = [...reader.from([file])].sort();
    const reason = aboutLinux[file] ?? (asked.length > 0 ? 'starts programs of Debian' : undefined);
    if (reason === undefined) run.push(file);
    else left.set(reason, [...(left.get(reason) ?? []), file]);
  }
  return { run, left };
}
