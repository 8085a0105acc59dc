import { randomInt } from 'node:crypto';
import { makeWorkplace, runSinete, serve, type Workplace } from '../app/run-sinete.ts';
import { until } from '../setup/waits.ts';
import type { Tally } from './run-faults.ts';
import { healthOf, judge, newRequest, send, type Acknowledged, type Sent } from './signed-documents.ts';

const CLIENTS = 8;

/** A workplace whose instance approves by itself and has a key; its data folder may be on another disk. */
export async function workplaceWithKey(dataFolder?: string): Promise<Workplace> {
  const workplace = await makeWorkplace();
  const data = dataFolder ?? workplace.data;
  const environment = {
    ...workplace.environment,
    SINETE_DATA: data,
    SINETE_APPROVE: 'all',
    SINETE_LIMITS_FREE_SPACE: '0',
  };
  const ready = { ...workplace, data, environment };
  const made = await runSinete(ready, ['certificates', 'test-identity', '--name', 'ANA LIMA', '--cpf', '11144477735']);
  if (made.code !== 0) throw new Error(made.stderr);
  return ready;
}

/** Documents of earlier rounds looked at again after a kill; the last round looks at all. */
const EARLIER = 100;

/**
 * Eight clients sign over HTTP until `kill -9`; the next start must have all acknowledged documents, and no alarm where
 * nothing is missing.
 */
export async function killWhileClientsSign(rounds: number): Promise<Tally> {
  const workplace = await workplaceWithKey();
  const acknowledged: Acknowledged[] = [];
  let [lost, doubled, mixedUp, hidden] = [0, 0, 0, 0];
  try {
    for (let round = 1; round <= rounds; round++) {
      const earlier = acknowledged.length;
      const cutOff = await signUntilKilled(workplace, acknowledged);
      const next = await serve(workplace);
      const sampled = Array.from({ length: Math.min(EARLIER, earlier) }, () => randomInt(earlier));
      const looked = acknowledged.filter((_one, index) => index >= earlier || sampled.includes(index));
      const fates = await judge(next.baseUrl, round === rounds ? acknowledged : looked);
      lost += fates.lost;
      mixedUp += fates.mixedUp;
      if (!(await healthOf(next.baseUrl)).ok) hidden++;
      for (const request of cutOff) {
        const [first, second] = [await send(next.baseUrl, request), await send(next.baseUrl, request)];
        if (first?.tcn !== second?.tcn) doubled++;
        if (first !== undefined) acknowledged.push(first);
      }
      await next.stop();
    }
  } finally {
    await workplace.remove();
  }
  const counts = { cases: rounds, acknowledged: acknowledged.length, lost, doubled, mixedUp, hidden };
  return { name: `kill -9, ${CLIENTS} clients`, ...counts };
}

/** Adds what the clients were told to `acknowledged`; answers the requests whose answer the kill has cut off. */
async function signUntilKilled(workplace: Workplace, acknowledged: Acknowledged[]): Promise<readonly Sent[]> {
  const instance = await serve(workplace);
  const cutOff: Sent[] = [];
  const wanted = acknowledged.length + 5 + randomInt(60);
  const clients = Array.from({ length: CLIENTS }, async (_one, client) => {
    for (let index = client; ; index++) {
      const request = newRequest(index);
      try {
        const answer = await send(instance.baseUrl, request);
        if (answer !== undefined) acknowledged.push(answer);
      } catch {
        cutOff.push(request);
        return;
      }
    }
  });
  await until(() => acknowledged.length >= wanted, 'enough documents are signed');
  await instance.stop('SIGKILL');
  await Promise.all(clients);
  return cutOff;
}
