import type { KeptFileView, RenewalOutcomeView, RenewalStateView } from '../../src/ui-contract/renewal-calls.ts';
import type { CallHandlers, CallName, CallOutput } from '../../src/ui-contract/ui-contract.ts';
import { inDays, sha256 } from './fake-data.ts';
import { FakeError } from './fake-error.ts';

type RenewalCall = Extract<CallName, `renewals.${string}`>;
type Handlers = { [Name in RenewalCall]: (input: Parameters<CallHandlers[Name]>[0]) => CallOutput<Name> };

const authority = 'Carimbo do Tempo ACT Exemplo';

/** A reason in each language of the window. */
type Reason = Readonly<Record<'pt-BR' | 'en', string>>;

/** A kept file of the fake, with the reason for its state. */
type FakeKeptFile = KeptFileView & { readonly reason: Reason };

const noReason: Reason = { 'pt-BR': '', en: '' };

/** A kept file in a state; its protection ends in some days. */
export function keptFile(path: string, state: RenewalStateView, days: number, reason = noReason): FakeKeptFile {
  const outcome: RenewalOutcomeView = {
    path,
    state,
    detail: '',
    sha256: sha256(path),
    sha256Before: null,
    protectedUntil: inDays(days),
    protectedUntilBefore: null,
    endsBy: { cause: 'certificate', name: authority },
    signatures: [
      {
        signer: 'Ana Lima',
        levelProven: 'B-LTA',
        provenTime: inDays(-400),
        timestamps: [{ role: 'archive', time: inDays(-399), authority, valid: true }],
      },
    ],
    documentTimestamps: [],
    warnings: [],
  };
  const times = { checkedAt: inDays(-1), nextAt: inDays(29), dueAt: inDays(days - 90), renewedAt: null };
  return { path, origin: 'folder', outcome, reason, ...times };
}

/** The file as the core tells it: its reason in a single language. */
function told({ reason, outcome, ...file }: FakeKeptFile, language: keyof Reason): KeptFileView {
  return { ...file, outcome: outcome === null ? null : { ...outcome, detail: reason[language] } };
}

/** Kept files and folders, in memory. */
export class FakeRenewals {
  mode: CallOutput<'renewals.list'>['mode'] = 'automatic';
  folders: CallOutput<'renewals.list'>['folders'] = [];
  files: FakeKeptFile[] = [];

  #find(path: string): FakeKeptFile {
    const file = this.files.find((one) => one.path === path);
    if (file === undefined) throw new FakeError('NOT_FOUND');
    return file;
  }

  readonly handlers: Handlers = {
    'renewals.list': ({ offset, limit, language = 'en' }) => ({
      mode: this.mode,
      withinDays: 90,
      folders: this.folders,
      total: this.files.length,
      counts: Object.fromEntries(
        [...Map.groupBy(this.files, ({ outcome }) => outcome?.state ?? 'new')].map(([state, all]) => [
          state,
          all.length,
        ]),
      ),
      files: this.files.slice(offset, offset + limit).map((file) => told(file, language)),
    }),
    'renewals.addFolder': ({ path }) => {
      if (!path.startsWith('/')) throw new FakeError('REQUEST_INVALID');
      this.folders = [...this.folders, { path, unreadable: false }];
      return {};
    },
    'renewals.removeFolder': ({ path }) => {
      this.folders = this.folders.filter((one) => one.path !== path);
      return {};
    },
    'renewals.forget': ({ path }) => {
      this.files = this.files.filter((one) => one.path !== path);
      return {};
    },
    'renewals.look': () => ({ looked: this.files.length, renewed: 0 }),
    'renewals.renew': ({ path }) => {
      const { outcome } = this.#find(path);
      if (outcome === null || outcome.state === 'content-missing') throw new FakeError('DOCUMENT_UNREADABLE');
      const renewed = keptFile(path, 'renewed', 2000);
      this.files = this.files.map((one) => (one.path === path ? { ...renewed, renewedAt: inDays(0) } : one));
      return renewed.outcome ?? outcome;
    },
    'renewals.report': ({ format }) => ({
      name: `sinete-renewals.${format}`,
      mediaType: 'text/plain',
      data: Buffer.from(this.files.map(({ path }) => path).join('\n')).toString('base64'),
    }),
  };
}
