/** Checks for states of the computer that a test cannot bring about. */
import { checkForUi } from '../../src/app/calls/views.ts';
import { found, type CheckValues, type Finding, type Particulars } from '../../src/service/checks/index.ts';
import type { CheckView, DoctorView } from '../../src/ui-contract/doctor-calls.ts';

/** A check with a finding, in the form of the core's answer. */
export function check(
  id: string,
  finding: Finding,
  values: CheckValues = {},
  particulars: Particulars = {},
): CheckView {
  return checkForUi(found(id, finding, values, particulars));
}

/** The core's checks, with the given checks in the place of the checks with the same ids. */
export async function withChecks(
  real: () => Promise<DoctorView>,
  ...checks: readonly CheckView[]
): Promise<DoctorView> {
  const { checks: own } = await real();
  const all = [...own.filter(({ id }) => checks.every((one) => one.id !== id)), ...checks];
  const has = (wanted: CheckView['outcome']): boolean => all.some(({ outcome }) => outcome === wanted);
  return { status: has('problem') ? 'problem' : has('advice') ? 'advice' : 'good', checks: all };
}
