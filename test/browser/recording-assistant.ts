import type { Assistant, CachedUser } from '../../src/service/assistant/index.ts';

const user: CachedUser = {
  id: 1,
  name: 'ANA LIMA',
  username: '11144477735',
  photo: null,
  updatedAt: new Date('2026-01-02T03:04:05Z'),
  selected: true,
};
const application = { clientName: 'PC', clientId: 'id', clientSecret: 'the-secret-of-this-computer' };

/** An assistant with a record of its acts. */
export function recordingAssistant(effects: string[]): Assistant {
  const did =
    <Value>(effect: string, value: Value) =>
    async (): Promise<Value> => {
      effects.push(effect);
      return Promise.resolve(value);
    };
  return {
    addUser: did('user added', user),
    users: did('users read', [user]),
    removeUser: did('user removed', undefined),
    selectedUser: did('selected user read', user),
    selectUser: did('user selected', user),
    certificatesOf: did('certificates read', []),
    keysOf: did('keys read', []),
    linkCertificate: did('certificate linked', undefined),
    unlinkCertificate: did('certificate unlinked', undefined),
    registerComputer: did('computer registered', application),
    computer: did('secret read', application),
    renameComputer: did('computer renamed', application),
    onChange: () => () => undefined,
  };
}
