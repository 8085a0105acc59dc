/** Paths that change between the check and the use (attacks 127 to 131, S7). */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransactionView } from '../../src/service/transactions/index.ts';
import { personWith } from '../pki/identities.ts';
import {
  createRequest,
  finished,
  openWorld,
  requester,
  type World,
} from '../service/transactions/transaction-world.ts';

let world: World;
let home: string;
beforeEach(async () => {
  world = await openWorld({ approve: 'ask' });
  await world.addKey(await personWith());
  home = realpathSync(mkdtempSync(join(tmpdir(), 'sinete-paths-')));
  mkdirSync(join(home, 'shared'));
  mkdirSync(join(home, '.ssh'));
  writeFileSync(join(home, 'document'), 'document');
  writeFileSync(join(home, 'secret'), 'secret!!');
});
afterEach(async () => {
  await world.end();
  rmSync(home, { recursive: true });
});

const paths = { documentsSource: 'FILE_PATH', destination: 'FILE_PATH', type: 'CMS-attached' } as const;
interface Source {
  readonly data: string;
  readonly destinationFileName: string;
}

/** Asks for a signature, lets somebody change the paths before the approval, and answers the outcome. */
async function approveAfter(document: Partial<Source>, change: () => void): Promise<TransactionView> {
  const documents = [
    { data: join(home, 'document'), destinationFileName: join(home, 'shared', 'result'), ...document },
  ];
  const { tcn } = await world.transactions.create(createRequest({ ...paths, documents }), requester);
  change();
  await world.transactions.decide(tcn, 'approve');
  return finished(world.transactions, tcn);
}

const refuse = async (document: Partial<Source>): Promise<void> => {
  const documents = [
    { data: join(home, 'document'), destinationFileName: join(home, 'shared', 'result'), ...document },
  ];
  const created = world.transactions.create(createRequest({ ...paths, documents }), requester);
  await expect(created).rejects.toMatchObject({ code: expect.stringMatching(/^(PATH_|FOLDER_|DOCUMENT_|DESTINATION_|REQUEST_)/) as string }); // prettier-ignore
};

describe('somebody who may rename folders of the user', () => {
  it.each([
    ['the data folder', () => world.folder],
    ['another folder of the user', () => join(home, '.ssh')],
  ])('gets no result into %s by a link in place of the destination folder', async (_where, target) => {
    const before = readdirSync(target());
    const view = await approveAfter({}, () => {
      renameSync(join(home, 'shared'), join(home, 'before'));
      symlinkSync(target(), join(home, 'shared'));
    });
    expect(view).toMatchObject({ status: 'ERROR', documents: [{ error: { code: 'PATH_NOT_ALLOWED' } }] });
    expect(readdirSync(target())).toEqual(before);
    expect(readdirSync(join(home, 'before'))).toEqual([]);
  });

  it('has no other content signed, with size and times of the first one', async () => {
    const path = join(home, 'document');
    const view = await approveAfter({}, () => {
      writeFileSync(path, 'DOCUMENT');
      utimesSync(path, 0, 0);
    });
    expect(view).toMatchObject({ documents: [{ error: { code: 'DOCUMENT_UNREADABLE' } }] });
  });

  it('has no other file signed by a link in place of the source', async () => {
    const path = join(home, 'document');
    const view = await approveAfter({}, () => {
      rmSync(path);
      symlinkSync(join(home, 'secret'), path);
    });
    expect(view).toMatchObject({ status: 'ERROR' });
    expect(readdirSync(join(home, 'shared'))).toEqual([]);
  });

  it('has no file replaced by a link or a file made after the check', async () => {
    const target = join(home, 'shared', 'result');
    const view = await approveAfter({}, () => symlinkSync(join(home, '.ssh', 'authorized_keys'), target));
    expect(view).toMatchObject({ documents: [{ error: { code: 'DESTINATION_EXISTS' } }] });
    expect(readdirSync(join(home, '.ssh'))).toEqual([]);
  });
});

describe('a program naming odd paths', () => {
  it.each(['/dev/zero', '/dev/tty', '/dev/stdin', '/', '.', '..', '/proc/self/fd', '/x\0y'])(
    'has %s refused as a source',
    async (data) => {
      await refuse({ data });
    },
  );

  it('has files of the application refused as sources, also by dots and links', async () => {
    symlinkSync(world.folder, join(home, 'way'));
    const [file] = readdirSync(world.folder).filter((name) => name.endsWith('.db'));
    for (const folder of [world.folder, join(home, 'way'), `${home}/../${home.split('/').slice(2).join('/')}/way`]) {
      await refuse({ data: `${folder}/${file ?? ''}` });
    }
  });

  it.each(['/proc/self/fd/1', '/dev/null', 'relative', '/x\0y', '/', '/dev/shm/..'])(
    'has %s refused as a destination',
    async (destinationFileName) => {
      await refuse({ destinationFileName });
    },
  );

  it('has taken places and folders of the application refused as destinations', async () => {
    symlinkSync('nowhere', join(home, 'broken'));
    symlinkSync(world.folder, join(home, 'way'));
    for (const destinationFileName of [
      join(home, 'secret'),
      join(home, 'broken'),
      join(home, '.ssh'),
      join(home, 'none', 'x'),
      join(world.folder, 'x'),
      join(home, 'way', 'x'),
    ]) {
      await refuse({ destinationFileName });
    }
  });
});
