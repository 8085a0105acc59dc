import type { DoctorCheck } from './doctor-check.ts';
import type { DoctorFacts } from './doctor-facts.ts';
import { examineBinding, examineCards, examineCertificates, examineDrivers } from './examine-keys.ts';
import {
  examineClock,
  examineDatabases,
  examinePort,
  examineProxy,
  examineSecrets,
  examineStores,
  examineVisits,
} from './examine-surroundings.ts';

type Examine = (facts: DoctorFacts) => readonly DoctorCheck[] | Promise<readonly DoctorCheck[]>;

const parts: Readonly<Record<string, Examine>> = {
  certificates: examineCertificates,
  'card-reader': examineCards,
  'driver-binding': examineBinding,
  'drivers-fit': examineDrivers,
  sites: examineVisits,
  port: examinePort,
  'clock-compared': examineClock,
  'secret-place': examineSecrets,
  proxy: examineProxy,
  'database-aside': examineDatabases,
  stores: examineStores,
};

/** Milliseconds for a part; a slower part counts as not examined. */
const patience = 20_000;

/** Examines everything now. Never rejects: a failed examination is a check with this finding. */
export async function examineComputer(facts: DoctorFacts, limit = patience): Promise<readonly DoctorCheck[]> {
  const groups = await Promise.all(
    Object.entries(parts).map(async ([id, examine]) => guarded(id, limit, examine, facts)),
  );
  return groups.flat();
}

async function guarded(
  id: string,
  limit: number,
  examine: Examine,
  facts: DoctorFacts,
): Promise<readonly DoctorCheck[]> {
  const notExamined: readonly DoctorCheck[] = [
    { id, outcome: 'advice', finding: 'not-examined', values: { name: id }, repairs: [] },
  ];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly DoctorCheck[]>((resolve) => {
    timer = setTimeout(() => {
      resolve(notExamined);
    }, limit);
  });
  try {
    return await Promise.race([Promise.resolve(examine(facts)), late]);
  } catch {
    return notExamined;
  } finally {
    clearTimeout(timer);
  }
}
