import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../app/run-sinete.ts';
import { systemFile } from '../setup/system-packages.ts';
import { until } from '../setup/waits.ts';
import { workplaceWithKey } from './kills.ts';
import type { Tally } from './run-faults.ts';
import { fateOf, newRequest, send, type Acknowledged } from './signed-documents.ts';

/** Leaps of the wall clock; after each the clock is right again. */
export type Leap = '+1d' | '+40d' | '-1d' | '+400d';
const everyLeap: readonly Leap[] = ['+1d', '+40d', '-1d', '+400d'];

/**
 * Documents are signed by a right clock; then the clock of a start, and of the running instance, is wrong for a while
 * (libfaketime). With the right clock again every document must be there. A certificate may be outside of its time
 * meanwhile, so that nothing is signed by the wrong clock.
 */
export async function leapClock(leaps: readonly Leap[] = everyLeap): Promise<Tally> {
  const workplace = await workplaceWithKey();
  const file = join(workplace.folder, 'time');
  const setClock = (offset: string): void => {
    writeFileSync(`${file}.new`, `${offset}\n`);
    renameSync(`${file}.new`, file);
  };
  setClock('+0d');
  const environment = {
    ...workplace.environment,
    LD_PRELOAD: systemFile('libfaketime'),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  const acknowledged: Acknowledged[] = [];
  const uploads: string[] = [];
  let [lost, mixedUp, hidden] = [0, 0, 0];
  try {
    let instance = await serve({ ...workplace, environment });
    for (const leap of leaps) {
      for (let index = 0; index < 8; index++) {
        const one = await send(instance.baseUrl, newRequest(index));
        if (one !== undefined) acknowledged.push(one);
      }
      uploads.push(await beginUpload(instance.baseUrl));
      for (const way of ['while it runs', 'at a start'] as const) {
        if (way === 'at a start') await instance.stop('SIGKILL');
        setClock(leap);
        if (way === 'at a start') instance = await serve({ ...workplace, environment });
        // A document that has expired by the wrong clock is withheld.
        const isWithheld = async () =>
          (await Promise.all(acknowledged.map((one) => fateOf(instance.baseUrl, one)))).every(
            (fate) => fate === 'gone',
          );
        if (leap.startsWith('+')) await until(isWithheld, 'documents that have expired are withheld');
        setClock('+0d');
        await until(async () => (await fetch(`${instance.baseUrl}/live`)).ok, 'the instance answers');
      }
      const health = await (await fetch(`${instance.baseUrl}/health-check`)).text();
      if (!health.includes('leapt')) hidden++;
    }
    for (const one of acknowledged) {
      const fate = await fateOf(instance.baseUrl, one);
      if (fate === 'mixed-up') mixedUp++;
      else if (fate !== 'good') lost++;
    }
    for (const tcn of uploads) if (!(await isWaiting(instance.baseUrl, tcn))) lost++;
    await instance.stop();
  } finally {
    await workplace.remove();
  }
  const cases = 2 * leaps.length;
  return {
    name: 'leaps of the clock',
    cases,
    acknowledged: acknowledged.length + uploads.length,
    lost,
    doubled: 0,
    mixedUp,
    hidden,
  };
}

async function beginUpload(baseUrl: string): Promise<string> {
  const response = await fetch(`${baseUrl}/signature-service`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'CAdES', documents_source: 'UPLOAD_REFERENCE' }),
  });
  return ((await response.json()) as { readonly tcn: string }).tcn;
}

async function isWaiting(baseUrl: string, tcn: string): Promise<boolean> {
  const { status } = (await (await fetch(`${baseUrl}/signature-service/${tcn}`)).json()) as { readonly status: string };
  return status === 'WAITING';
}
