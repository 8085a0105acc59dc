/** Which of the usual tests run on Windows, and why the others do not. */
import { globSync } from 'node:fs';
import { AskedPackages } from '../setup/asked-packages.ts';
import { root } from '../setup/runs.ts';

/** Folders whose tests are about code that Windows runs too. */
const folders = ['http', 'interface', 'network', 'service', 'signing', 'storage', 'test-authority', 'text'];

/** Test files of these folders that say nothing about Windows, with the reason. */
const aboutLinux: Readonly<Record<string, string>> = {
  'test/service/consent/file-grants.test.ts': 'names folders of Linux',
  'test/service/transactions/intake/document-places.test.ts': 'names folders of Linux',
  'test/storage/files/file-roots.test.ts': 'makes links to folders, which Wine does not follow',
};

/** Test files by what becomes of them; paths are relative to the repository. */
export interface Choice {
  readonly run: readonly string[];
  /** Reason → files. */
  readonly left: ReadonlyMap<string, readonly string[]>;
}

/** Leaves out the files that start programs of Debian, and those of the list above. */
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
