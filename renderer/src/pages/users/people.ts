import type { AccountView } from '../../../../src/ui-contract/identity-calls.ts';
import type { CachedUserView } from '../../../../src/ui-contract/site-calls.ts';
import { useQuery } from '../../data/core-context.ts';
import type { QueryState } from '../../data/query-cache.ts';

/** A person enrolled here, or a user of this computer enrolled elsewhere, or both. */
export interface Person {
  readonly username: string;
  readonly name: string;
  readonly photo: string | null;
  /** Enrolment on this instance. */
  readonly account: AccountView | null;
  /** The person as a user of this computer. */
  readonly cached: CachedUserView | null;
}

/** Joins both lists, the selected person first and then by name. */
export function gatherPeople(accounts: readonly AccountView[], cached: readonly CachedUserView[]): readonly Person[] {
  const usernames = new Set([...cached, ...accounts].map((one) => one.username));
  const people = [...usernames].map((username): Person => {
    const account = accounts.find((one) => one.username === username) ?? null;
    const user = cached.find((one) => one.username === username) ?? null;
    const { name = '', photo = null } = account ?? user ?? {};
    return { username, name, photo: photo ?? user?.photo ?? null, account, cached: user };
  });
  const rank = ({ cached: user }: Person): number => (user === null ? 2 : user.selected ? 0 : 1);
  return people.sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
}

/** All people, followed through changes. */
export function usePeople(): QueryState<readonly Person[]> {
  const accounts = useQuery('users.list', {});
  const cached = useQuery('assistant.users', {});
  const error = accounts.error ?? cached.error;
  if (accounts.value === null || cached.value === null) return { value: null, error };
  return { value: gatherPeople(accounts.value, cached.value), error };
}

/** The address of another instance with the people; null for this instance. */
export function useRemoteAddress(): string | null {
  const addresses = useQuery('home.read', {}).value?.addresses;
  if (addresses === undefined || addresses.authorization === addresses.signing) return null;
  return addresses.authorization;
}
