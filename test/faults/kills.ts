import { makeWorkplace, runSinete, serve, type Workplace } from '../app/run-sinete.ts';
import { until } from '../setup/waits.ts';
import type { Tally } from './run-faults.ts';
import { fateOf, newRequest, send, type Acknowledged, type Sent } from './signed-documents.ts';

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

/** Eight clients sign over HTTP until `kill -9`; the next start must have everything that was acknowledged. */
export async function killWhileClientsSign(rounds: number): Promise<Tally> {
  const workplace = await workplaceWithKey();
  const acknowledged: Acknowledged[] = [];
  const cutOff: Sent[] = [];
  let [lost, doubled, mixedUp] = [0, 0, 0];
  try {
    for (let round = 0; round < rounds; round++) {
      const instance = await serve(workplace);
      const wanted = acknowledged.length + 5 + Math.floor(Math.random() * 60);
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

      const next = await serve(workplace);
      for (const one of acknowledged) {
        let fate = await fateOf(next.baseUrl, one);
        await until(async () => (fate = await fateOf(next.baseUrl, one)) !== 'waiting', 'the document is final');
        if (fate === 'mixed-up') mixedUp++;
        else if (fate !== 'good' && fate !== 'failed') lost++;
      }
      for (const request of cutOff.splice(0)) {
        const [first, second] = [await send(next.baseUrl, request), await send(next.baseUrl, request)];
        if (first?.tcn !== second?.tcn) doubled++;
        if (first !== undefined) acknowledged.push(first);
      }
      await next.stop();
    }
  } finally {
    await workplace.remove();
  }
  return {
    name: 'kill -9, 8 clients',
    cases: rounds,
    acknowledged: acknowledged.length,
    lost,
    doubled,
    mixedUp,
    hidden: 0,
  };
}
