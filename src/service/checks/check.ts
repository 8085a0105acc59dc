import { findings, type Area, type Finding, type Outcome, type Repair } from './findings.ts';

/** Values for the words of a finding: names, counts, minutes, days (`2029-03-02`), and sizes in bytes. */
export type CheckValues = Readonly<Record<string, string | number>>;

/** The outcome of a check. */
export interface Check {
  /** Stable for each checked thing: `database`, `key-source:<id>`, `driver:<id>`, `object-store:<id>`, … */
  readonly id: string;
  readonly finding: Finding;
  readonly area: Area;
  readonly outcome: Outcome;
  readonly values: CheckValues;
  /** The usual repair comes first. */
  readonly repairs: readonly Repair[];
}

/** The details of a check besides its row in the registry. */
export interface Particulars {
  readonly area?: Area | undefined;
  readonly outcome?: Exclude<Outcome, 'ok'> | undefined;
  /** Repairs with a target. They come before those of the registry. */
  readonly repairs?: readonly Repair[] | undefined;
}

/** A check with this finding: area, outcome and repairs as in the registry, unless the check tells others. */
export function found(
  id: string,
  finding: Finding,
  values: CheckValues = {},
  { area, outcome, repairs = [] }: Particulars = {},
): Check {
  const row = findings[finding];
  return {
    id,
    finding,
    area: area ?? row.area,
    outcome: outcome ?? row.outcome,
    values,
    repairs: [...repairs, ...row.repairs],
  };
}

/**
 * Runs a check. A check that throws has the finding `failed`, with its id and the reason as values. Never rejects.
 * `area`: only for `check-failed`, which has none of its own.
 */
export async function runCheck(
  id: string,
  failed: Finding,
  look: () => readonly Check[] | Promise<readonly Check[]>,
  area?: Area,
): Promise<readonly Check[]> {
  try {
    return await look();
  } catch (error) {
    const reason = error instanceof Error ? ` ${error.message}` : '';
    return [found(id, failed, { check: id, name: id, reason }, { area })];
  }
}
