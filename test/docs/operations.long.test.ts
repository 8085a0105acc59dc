/** The requests of docs/reference/operations.md, with curl against a real instance, word for word. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTool } from '../oracles/run-program.ts';
import { systemTool } from '../setup/system-packages.ts';
import { untilDefined } from '../setup/waits.ts';
import { docsFolder } from './make-reference.ts';
import { ana, DocumentedWorld, maria } from './documented-world.ts';
import { browserOperations, operations } from './http-reference.ts';

/** Approves everything. */
let world: DocumentedWorld;
/** Asks, for the approval by a token. */
let asking: DocumentedWorld;
let page: string;

beforeAll(async () => {
  page = await readFile(join(docsFolder, 'reference/operations.md'), 'utf8');
  world = await DocumentedWorld.open({ approve: 'all' });
  asking = await DocumentedWorld.open({ approve: 'ask' });
  for (const one of [world, asking]) await one.prepareToken('certificate_info signature_session offline_access');
});
afterAll(async () => {
  await world.close();
  await asking.close();
});

async function prepareWebhook(): Promise<void> {
  const json = { url: 'https://shop.example/hook' };
  const headers = { Authorization: world.applicationCredentials };
  const { content } = await world.instance.send('POST', webhooks(), { json, headers });
  world.variables['WEBHOOK_ID'] = String(content['id']);
}

const webhooks = (): string => `/applications/${world.variables['CLIENT_ID'] ?? ''}/webhooks`;

async function prepareDelivery(): Promise<void> {
  await prepareWebhook();
  await world.instance.send('PUT', '/selected-user', { fields: { username: ana } });
  const headers = { Authorization: world.applicationCredentials };
  const json = { type: 'CAdES-detached', documents_source: 'DATA_URL', documents: 'data:text/plain,a', mode: 'sync' };
  const { status, body } = await world.instance.send('POST', '/signature-service', { json, headers });
  expect(status, body).toBe(201);
  const place = `${webhooks()}/${world.variables['WEBHOOK_ID'] ?? ''}/deliveries`;
  world.variables['DELIVERY_ID'] = await untilDefined(async () => {
    const { content } = await world.instance.send('GET', place, { headers });
    return (content['deliveries'] as readonly { readonly id: string }[])[0]?.id;
  }, 'a delivery in the log');
}

const preparePassword = async (): Promise<void> => world.put('password.txt', world.codeOf(maria));

/** Maria is a user of this computer; `USER_ID` is the id. */
async function prepareUser(): Promise<void> {
  const { content } = await world.instance.send('GET', '/user');
  const users = content['users'] as readonly { readonly id: number; readonly username: string }[];
  const known = users.find(({ username }) => username === maria);
  if (known === undefined) {
    const code = world.codeOf(maria);
    await world.instance.sinete.handlers['user-interface']['assistant.add']({ username: maria, code });
    await prepareUser();
  } else world.variables['USER_ID'] = String(known.id);
}

const prepareComputer = async (): Promise<void> => {
  const fields = { client_name: 'Reception', force: 'true' };
  await world.instance.send('POST', '/application', { fields });
};

/** Work before the request of an operation. */
const preparations: Readonly<Record<string, () => Promise<void>>> = {
  readStatuses: async () => world.prepareSigned(),
  streamTransaction: async () => world.prepareTransaction(),
  queryTransaction: async () => world.prepareSigned(),
  cancelTransaction: async () => world.prepareTransaction(),
  authorizeTransaction: async () => {
    await asking.prepareTransaction({ Authorization: asking.applicationCredentials });
    await asking.upload();
  },
  uploadDocuments: async () => world.prepareTransaction(),
  uploadMoreDocuments: async () => world.prepareTransaction(),
  uploadToOnlySetting: async () => world.prepareTransaction(),
  downloadDocument: async () => world.prepareSigned(),
  validateSignatures: async () => world.prepareSigned(),
  introspectToken: async () => world.prepareToken('certificate_info signature_session'),
  addUser: preparePassword,
  changeSelectedUser: prepareUser,
  removeUser: prepareUser,
  readComputer: prepareComputer,
  changeComputer: prepareComputer,
  readWebhook: prepareWebhook,
  changeWebhook: prepareWebhook,
  removeWebhook: prepareWebhook,
  rotateWebhook: prepareWebhook,
  testWebhook: prepareWebhook,
  listDeliveries: prepareWebhook,
  redeliverWebhook: prepareDelivery,
};

/** Work before a request of an operation with several requests, by a word of the request. */
const examplePreparations: Readonly<Record<string, () => Promise<void>>> = {
  'grant_type=authorization_code': async () => world.prepareCode('signature_session'),
  'grant_type=password': preparePassword,
  'grant_type=refresh_token': async () => world.prepareToken('signature_session offline_access'),
};

/** The commands in the section of an operation. */
function commandsOf(method: string, path: string): readonly string[] {
  const start = page.indexOf(`### \`${method} ${path}\`\n`);
  const section = page.slice(start, page.indexOf('\n### ', start + 1) >>> 0);
  return [...section.matchAll(/^```sh\n([^]*?)\n```$/gm)].map(([, command = '']) => command);
}

/** Runs a command; the status of its answer, or the answer of a refusal. Streams are left after two seconds. */
async function statusOf(command: string, { folder, variables }: DocumentedWorld, isStream: boolean): Promise<string> {
  const curl = `curl() { "${systemTool('curl')}" -S -w '\\n%{http_code}' ${isStream ? '-m 2' : ''} "$@"; }\n`;
  const script = `${curl}${command}${isStream ? ' || true' : ''}`;
  const output = await runTool('bash', ['-e', '-c', script], { folder, environment: variables });
  const status = output.slice(output.lastIndexOf('\n') + 1);
  return /^2\d\d$/.test(status) ? status : output;
}

describe('the requests of the reference', () => {
  const own = operations.filter(({ operationId }) => !browserOperations.includes(operationId));

  it('leave out the pages of a browser only', () => {
    expect(own).toHaveLength(operations.length - 3);
    expect(own.length).toBeGreaterThan(40);
  });

  it.each(own)('succeed with curl: $method $path', async ({ method, path, operationId, responses }) => {
    const commands = commandsOf(method, path);
    expect(commands.length).toBeGreaterThan(0);
    const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
    for (const command of commands) {
      await preparations[operationId]?.();
      const example = Object.keys(examplePreparations).find((text) => command.includes(text));
      if (example !== undefined) await examplePreparations[example]?.();
      const place = operationId === 'authorizeTransaction' ? asking : world;
      expect(successes).toContain(await statusOf(command, place, operationId.startsWith('stream')));
    }
  });
});
