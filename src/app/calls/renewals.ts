import type { ReportLanguage } from '../../service/validation/index.ts';
import {
  reasonOf,
  renewalReport,
  type KeptFile,
  type Proof,
  type RenewalOutcome,
} from '../../service/renewals/index.ts';
import type { KeptFileView, RenewalOutcomeView } from '../../ui-contract/renewal-calls.ts';
import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../compose/open-core.ts';
import { readRecipient } from './given/read-recipient.ts';

type RenewalCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `renewals.${string}`>>;

const DAY = 24 * 60 * 60;
/** Milliseconds; longer than the lifetime of any certificate. */
const ALWAYS = 200 * 365 * DAY * 1000;

/** The calls about renewals. */
export function renewalCalls(core: Core): RenewalCalls {
  const { renewals, configuration, workers, now } = core;
  const { mode, within } = configuration.renewal;
  return {
    'renewals.list': async ({ language = 'en', ...page }) => {
      const { total, files } = await renewals.list(page);
      return {
        mode,
        withinDays: Math.round(within / DAY),
        total,
        folders: (await renewals.folders()).map(({ path, problem }) => ({ path, unreadable: problem !== null })),
        counts: { ...(await renewals.counts()) },
        files: files.map((file) => keptView(file, within, language)),
      };
    },
    'renewals.addFolder': async ({ path }) => {
      await renewals.addFolder(path);
      return {};
    },
    'renewals.removeFolder': async ({ path }) => {
      await renewals.removeFolder(path);
      return {};
    },
    'renewals.forget': async ({ path }) => {
      await renewals.forget(path);
      return {};
    },
    'renewals.look': async () => {
      const outcomes = await renewals.look();
      return { looked: outcomes.length, renewed: outcomes.filter(({ state }) => state === 'renewed').length };
    },
    'renewals.renew': async (input) => {
      const { path, within: wanted, dryRun, timestampServer: server, password, recipient, language = 'en' } = input;
      const outcome = await renewals.renew(path, {
        within: wanted === 'always' ? ALWAYS : wanted === undefined ? undefined : wanted * 1000,
        dryRun,
        server,
        password,
        ...(recipient === undefined ? {} : { recipient: await readRecipient(workers, recipient) }),
      });
      return outcomeView(outcome, language);
    },
    'renewals.report': async ({ format, language }) =>
      await renewalReport(await allFiles(core), { format, language, made: now() }),
  };
}

/** Maximum number of files in a report; nobody would read a longer report. */
const mostReported = 10_000;

async function allFiles({ renewals }: Core): Promise<readonly KeptFile[]> {
  return (await renewals.list({ offset: 0, limit: mostReported })).files;
}

const timeOf = (time: Date | null | undefined): string | null => time?.toISOString() ?? null;

function keptView(file: KeptFile, within: number, language: ReportLanguage): KeptFileView {
  const { path, origin, outcome, checkedAt, nextAt, renewedAt } = file;
  const until = outcome?.protectedUntil ?? null;
  return {
    path,
    origin,
    checkedAt: timeOf(checkedAt),
    nextAt: nextAt.toISOString(),
    renewedAt: timeOf(renewedAt),
    outcome: outcome === null ? null : outcomeView(outcome, language),
    dueAt: until === null ? null : new Date(until.getTime() - within * 1000).toISOString(),
  };
}

const proofView = ({ role, time, authority, valid }: Proof): RenewalOutcomeView['documentTimestamps'][number] => ({
  role,
  authority,
  valid,
  time: time.toISOString(),
});

function outcomeView(outcome: RenewalOutcome, language: ReportLanguage): RenewalOutcomeView {
  const { path, state, sha256, endsBy } = outcome;
  return {
    path,
    state,
    detail: reasonOf(outcome, language),
    sha256,
    sha256Before: outcome.sha256Before ?? null,
    endsBy: endsBy === null ? null : { ...endsBy },
    protectedUntil: timeOf(outcome.protectedUntil),
    protectedUntilBefore: timeOf(outcome.protectedUntilBefore),
    signatures: outcome.signatures.map(({ signer, levelProven, provenTime, timestamps }) => ({
      signer,
      levelProven,
      provenTime: timeOf(provenTime),
      timestamps: timestamps.map(proofView),
    })),
    documentTimestamps: outcome.documentTimestamps.map(proofView),
    warnings: [...(outcome.warnings ?? [])],
  };
}
