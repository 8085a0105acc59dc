import { create } from 'qrcode';
import type {
  AccountView,
  ApplicationView,
  EnrolmentView,
  WaitingAuthorizationView,
} from '../../src/ui-contract/identity-calls.ts';
import type { CachedUserView } from '../../src/ui-contract/site-calls.ts';
import type { CallHandlers, CallOutput } from '../../src/ui-contract/ui-contract.ts';
import { inDays, sha256 } from './fake-data.ts';
import { FakeError } from './fake-error.ts';

type PeopleCall = Extract<
  keyof CallHandlers,
  `users.${string}` | `assistant.${string}` | `applications.${string}` | `authorizations.${string}`
>;
type PeopleHandlers = {
  [Name in PeopleCall]?: (input: Parameters<CallHandlers[Name]>[0]) => CallOutput<Name>;
};

/** The codes that authenticators show, one after the other; each is taken once. */
export const rightCodes = ['123456', '654321'] as const;

/** A green square: the smallest PNG with a colour. */
export const photo =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const accounts: readonly AccountView[] = [
  {
    id: 1,
    name: 'Maria da Silva Teste',
    username: '52998224725',
    photo,
    recoveryCodes: 10,
    createdAt: inDays(-40),
    updatedAt: inDays(-40),
  },
  {
    id: 2,
    name: 'João Exemplo',
    username: '11144477735',
    photo: null,
    recoveryCodes: 2,
    createdAt: inDays(-3),
    updatedAt: inDays(-3),
  },
];

export const cachedUsers: readonly CachedUserView[] = [
  {
    id: 11,
    name: 'Maria da Silva Teste',
    username: '52998224725',
    photo,
    selected: true,
    updatedAt: inDays(-40),
    certificates: [
      { alias: 'maria-a1', fingerprint: sha256('maria-a1'), linked: false, present: true },
      { alias: 'maria-a3', fingerprint: sha256('maria-a3'), linked: true, present: false },
    ],
  },
  {
    id: 12,
    name: 'Padaria Exemplo Ltda',
    username: '12ABC34501DE35',
    photo: null,
    selected: false,
    updatedAt: inDays(-9),
    certificates: [],
  },
];

export const applications: readonly ApplicationView[] = [
  {
    clientId: '4f0c2f9a7c1e4b6f',
    name: 'Processo Eletrônico Exemplo',
    comments: 'Petições',
    email: 'ti@exemplo.com.br',
    redirectUris: ['https://processo.exemplo.com.br/volta'],
    isPublic: false,
    limits: {},
    createdAt: inDays(-20),
    lastUsedAt: inDays(-1),
  },
  {
    clientId: 'b7d4e1c09a3f5528',
    name: 'Aplicativo de celular',
    comments: 'Testes',
    email: 'app@exemplo.com.br',
    redirectUris: ['http://127.0.0.1:8000/volta'],
    isPublic: true,
    limits: {},
    createdAt: inDays(-2),
    lastUsedAt: null,
  },
];

/** An application waiting to be authorized. */
export function waitingAuthorization(change: Partial<WaitingAuthorizationView> = {}): WaitingAuthorizationView {
  return {
    id: 'a1',
    application: 'Processo Eletrônico Exemplo',
    clientId: '4f0c2f9a7c1e4b6f',
    returnsTo: 'https://processo.exemplo.com.br',
    scopes: ['signature_session', 'certificate_info'],
    lifetime: 7200,
    person: { name: 'Maria da Silva Teste', username: '52998224725' },
    askedAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + 600_000).toISOString(),
    ...change,
  };
}

/** The people, the users of this computer, and the applications, in memory. */
export class FakePeople {
  accounts: AccountView[] = [...accounts];
  users: CachedUserView[] = [...cachedUsers];
  applications: ApplicationView[] = [...applications];
  /** Applications waiting to be authorized. */
  waiting: WaitingAuthorizationView[] = [];
  readonly #spent = new Set<string>();
  #beginning: { readonly name: string; readonly username: string; readonly photo: string | null } | null = null;

  readonly handlers: PeopleHandlers = {
    'users.list': () => this.accounts,
    'users.begin': (person) => this.#begin({ ...person, photo: person.photo ?? null }),
    'users.confirm': ({ enrolment, code }) => this.#confirm(enrolment, code),
    'assistant.users': () => this.users,
    'applications.list': () => this.applications,
    'applications.rotate': () => ({ clientSecret: 'segredo-trocado', webhookSecret: 'whsec_trocado' }),
    'authorizations.waiting': () => this.waiting,
  };

  #begin(person: { readonly name: string; readonly username: string; readonly photo: string | null }): EnrolmentView {
    this.#beginning = person;
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const otpauthUri = `otpauth://totp/Sinete:${encodeURIComponent(person.name)}?secret=${secret}&issuer=Sinete`;
    return { enrolment: 'e1', otpauthUri, secret, qrCodeSvg: drawQrCode(otpauthUri) };
  }

  #confirm(enrolment: string, code: string): CallOutput<'users.confirm'> {
    const person = this.#beginning;
    if (person === null || enrolment !== 'e1') throw new FakeError('NOT_FOUND');
    this.#spend(code);
    const at = new Date().toISOString();
    const account = { ...person, id: 100 + this.accounts.length, createdAt: at, updatedAt: at, recoveryCodes: 10 };
    this.#beginning = null;
    this.accounts = [...this.accounts, account];
    const group = (index: number): string => String(1000 + index * 37);
    const codes = Array.from({ length: 10 }, (_, line) =>
      Array.from({ length: 6 }, (_unused, place) => group(line * 6 + place)).join('-'),
    );
    return { account, recoveryCodes: codes };
  }

  #spend(code: string): void {
    const right: readonly string[] = rightCodes;
    if (!right.includes(code) || this.#spent.has(code)) throw new FakeError('INVALID_CREDENTIALS');
    this.#spent.add(code);
  }
}

/** A QR code as one path of squares. */
function drawQrCode(text: string): string {
  const { size, data } = create(text).modules;
  const squares = Array.from(data, (dark, index) =>
    dark === 0 ? '' : `M${(index % size) + 2} ${Math.floor(index / size) + 2}h1v1h-1z`,
  );
  const box = `0 0 ${size + 4} ${size + 4}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}"><path fill="#fff" d="M0 0h99v99H0z"/><path d="${squares.join('')}"/></svg>`;
}
