/** Runs the programs of docs/examples/calls in a documented world: signed PDFs, verdict, token and callbacks. */
import { createHmac } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DocumentedWorld } from './documented-world.ts';

export const callsFolder = join(import.meta.dirname, '../../docs/examples/calls');

/** Runs a program in the folder of the world; answers the output. */
export type RunCalls = (options: {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}) => Promise<string>;

/** Differences from the expected outcome; none for a correct program. */
export async function faultsOfCalls(world: DocumentedWorld, run: RunCalls): Promise<readonly string[]> {
  await world.prepareCode('signature_session');
  const time = String(Math.floor(Date.now() / 1000));
  const body = '{"status":"SIGNED"}';
  const key = Buffer.from(world.webhookSecret.replace('whsec_', ''), 'base64');
  const mac = createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64');
  await mkdir(world.folder, { recursive: true });
  const output = await run({
    folder: world.folder,
    environment: {
      SINETE_ADDRESS: world.instance.url,
      CLIENT_ID: world.variables['CLIENT_ID'] ?? '',
      CLIENT_SECRET: world.clientSecret,
      REDIRECT_URI: 'https://portal.example/back',
      CODE: (await world.read('code.txt')).toString(),
      CODE_VERIFIER: (await world.read('code_verifier.txt')).toString(),
      WEBHOOK_ID: 'msg_1',
      WEBHOOK_TIMESTAMP: time,
      WEBHOOK_SIGNATURE: `v1,${mac}`,
      WEBHOOK_BODY: body,
      WEBHOOK_SECRET: world.webhookSecret,
    },
  });
  const wanted = ['integrity 1185', 'token true', 'callback SIGNED', 'forged The callback is not genuine.'];
  const lines = output.trim().split(/\r?\n/);
  const faults = wanted.filter((line) => !lines.includes(line)).map((line) => `${line} is missing in: ${output}`);
  const original = await world.read('contract.pdf');
  for (const name of ['one-call.pdf', 'four-steps.pdf']) {
    const signed = await world.read(name);
    const isKept = signed.subarray(0, original.length).equals(original);
    if (!isKept || !signed.includes('/SubFilter /ETSI.CAdES.detached')) faults.push(`${name} is not signed.`);
  }
  return faults;
}
