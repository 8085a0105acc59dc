import { systemReader, type SystemReader } from '../../service/monitoring/index.ts';
import { DiskRoom, type Room } from '../../service/space/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { Configuration } from '../config/config.ts';

/** Checks whether documents still fit into the data folder, within the configured limits. */
export function openRoom(
  folder: string,
  { limits: { freeSpace, diskQuota } }: Configuration,
  { documentSpace, sharedWith }: Pick<Storage, 'documentSpace' | 'sharedWith'>,
  diskSpace: SystemReader['diskSpace'] = async (path) => systemReader.diskSpace(path),
): Room {
  return new DiskRoom({
    folder,
    leastFree: freeSpace,
    quota: diskQuota,
    diskSpace,
    documents: async () => documentSpace.bytes(),
    ...(sharedWith === undefined ? {} : { exchange: async (own) => sharedWith.claims.exchangeReserved(own) }),
  });
}
