import { randomBytes } from 'node:crypto';
import { normalizeTaxpayerNumber } from '../../signing/index.ts';
import { ServiceError } from '../errors/index.ts';
import { keyOf, type ShortLivedStore } from '../short-lived/index.ts';
import type { ApplicationPerson, HashCallStore, PersonSearch } from './hash-calls.ts';

/** Services for finding people. */
export interface SearchParts {
  readonly store: HashCallStore;
  readonly shortLived: ShortLivedStore;
  readonly now: () => Date;
}

/** Searches of an application in a minute: a list of all CPFs would take centuries. */
const SEARCHES_A_MINUTE = 20;
const MINUTE = 60_000;
const limits = { most: 10_000, mostOfOwner: SEARCHES_A_MINUTE, whenFull: 'refuse' } as const;

/** See `HashCalls.discover`. A stranger and a person who never authorized the application get the same answer. */
export async function discoverPerson(parts: SearchParts, search: PersonSearch): Promise<string | undefined> {
  const { store } = parts;
  const { clientId, selected } = search;
  await countSearch(parts, clientId);
  const username = normalizeTaxpayerNumber(search.username);
  const known = await store.findPerson(clientId, username);
  if (known?.isAuthorized === true) return known.slot;
  if (selected === undefined || normalizeTaxpayerNumber(selected) !== username) return undefined;
  return known?.slot ?? (await slotOf(store, { clientId, username, isAuthorized: false }));
}

/** The slot of a person, made when the application has none for the person. */
export async function slotOf(store: HashCallStore, person: Omit<ApplicationPerson, 'slot'>): Promise<string> {
  const slot = randomBytes(16).toString('base64url');
  await store.addPerson({ ...person, slot });
  return (await store.findPerson(person.clientId, person.username))?.slot ?? slot;
}

async function countSearch({ shortLived, now }: SearchParts, clientId: string): Promise<void> {
  const at = now();
  const entry = {
    key: keyOf(randomBytes(16).toString('hex')),
    owner: `application ${clientId}`,
    content: '{}',
    endsAt: new Date(at.getTime() + MINUTE),
  };
  if (await shortLived.add('person-search', entry, limits, at)) return;
  const detail = `An application may look for people ${SEARCHES_A_MINUTE} times in a minute.`;
  throw new ServiceError('TOO_MANY_ATTEMPTS', detail, { retryAfter: MINUTE / 1000 });
}
