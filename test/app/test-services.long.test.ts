import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../setup/waits.ts';
import { freePort, makeWorkplace, runTestServices, serve, type Workplace } from './run-sinete.ts';

let place: Workplace;

beforeAll(async () => {
  const made = await makeWorkplace();
  place = { ...made, environment: { ...made.environment, SINETE_TEST_SERVICES_PORT: String(await freePort()) } };
});
afterAll(async () => place.remove());

describe('test-services in a running instance', () => {
  it('go on in an instance started again', async () => {
    const first = await serve(place);
    const services = await runTestServices(place);
    try {
      await first.stop();
      await until(() => services.output().includes('The instance has ended'), 'the end is noticed');
      const second = await serve(place);
      await until(() => services.output().split('Test services run at').length === 3, 'they run again');
      const answer = await fetch(`${services.origin}/ocsp`, { method: 'POST' });
      expect(answer.status).toBeGreaterThanOrEqual(200);
      await second.stop();
    } finally {
      expect(await services.stop()).toBe(0);
    }
  });
});
