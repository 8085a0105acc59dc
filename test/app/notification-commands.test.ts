import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReceiver, type Receiver } from '../service/notifications/receiver.ts';
import { makeWorkplace, runSinete, serve, type ServingProcess, type Workplace } from './run-sinete.ts';

/** The command line beside a running instance, and after its end. */
describe('sinete notifications', { timeout: 180_000 }, () => {
  let workplace: Workplace;
  let instance: ServingProcess;
  let receiver: Receiver;
  let tcn: string;

  beforeAll(async () => {
    workplace = await makeWorkplace();
    receiver = await startReceiver();
    receiver.behave(500);
    await runSinete(workplace, ['certificates', 'test-identity', '--name', 'Ana Lima', '--cpf', '11144477735']);
    instance = await serve(workplace, ['--approve', 'all']);
    const body = {
      type: 'CAdES-detached',
      documents_source: 'DATA_URL',
      documents: 'data:,one',
      mode: 'sync',
      notification_callback: `${receiver.origin}/done?key=hidden&tcn=`,
    };
    const answer = await fetch(`${instance.baseUrl}/signature-service`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    tcn = ((await answer.json()) as { tcn: string }).tcn;
    await receiver.arrived(1);
  });
  afterAll(async () => {
    await instance.stop();
    await receiver.close();
    await workplace.remove();
  });

  it('lists notifications, without query and without the whole TCN, and has each told again', async () => {
    let stdout = '';
    const list = async (): Promise<string> => {
      ({ stdout } = await runSinete(workplace, ['notifications']));
      return stdout;
    };
    await expect
      .poll(list, { timeout: 60_000 })
      .toMatch(
        /msg_[0-9a-f]{32} {2}[0-9A-Z]{6}… +http:\/\/127\.0\.0\.1:\d+\/done +waiting .*The server answered 500\./,
      );
    receiver.behave(200);
    const again = await runSinete(workplace, ['notifications', 'redeliver', tcn]);
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^It is delivered again: msg_/)]);
    let listed = '';
    const firstRow = async (): Promise<{ id: string } | undefined> => {
      listed = (await runSinete(workplace, ['notifications', 'list', '--limit', '5', '--json'])).stdout;
      return (JSON.parse(listed) as { id: string }[])[0];
    };
    const delivered = { status: 'DELIVERED', client_id: null, tcn: `${tcn.slice(0, 6)}…` };
    await expect.poll(firstRow, { timeout: 60_000 }).toMatchObject(delivered);
    expect(receiver.arrivals.length).toBeGreaterThan(1);
    const ids = receiver.arrivals.map(({ headers }) => headers['webhook-id']);
    expect([...new Set(ids)]).toEqual([(await firstRow())?.id]);
    for (const text of [stdout, again.stdout, listed]) {
      expect(text).not.toContain(tcn);
      expect(text).not.toContain('hidden');
    }
    const log = await readFile(join(workplace.data, 'sinete.log'), 'utf8');
    expect(log).toContain('notified');
    expect(log).not.toContain(tcn);
    expect(log).not.toContain('hidden');
  });

  it('tells of a missing notification, and of a valid limit', async () => {
    const unknown = await runSinete(workplace, ['notifications', 'redeliver', 'msg_unknown']);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('No notification has this id or TCN')]);
    const limit = await runSinete(workplace, ['notifications', 'list', '--limit', '0']);
    expect([limit.code, limit.stderr]).toEqual([2, expect.stringContaining('number from 1 to 500')]);
  });
});
