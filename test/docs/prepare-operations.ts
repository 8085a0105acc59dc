/** The state before the request of each operation, for the requests of the documentation. */
import { untilDefined } from '../setup/waits.ts';
import { ana, DocumentedWorld, maria } from './documented-world.ts';

/** The instances behind the requests: one approves everything, the other asks. */
export class OperationWorlds {
  readonly #approving: DocumentedWorld;
  readonly #asking: DocumentedWorld;

  private constructor(approving: DocumentedWorld, asking: DocumentedWorld) {
    this.#approving = approving;
    this.#asking = asking;
  }

  static async open(): Promise<OperationWorlds> {
    const approving = await DocumentedWorld.open({ approve: 'all' });
    const asking = await DocumentedWorld.open({ approve: 'ask' });
    for (const one of [approving, asking]) {
      await one.prepareToken('certificate_info signature_session offline_access');
    }
    return new OperationWorlds(approving, asking);
  }

  async close(): Promise<void> {
    await this.#approving.close();
    await this.#asking.close();
  }

  /** The world for the request of an operation: an approval by a token needs the instance that asks. */
  worldOf(operationId: string): DocumentedWorld {
    return operationId === 'authorizeTransaction' ? this.#asking : this.#approving;
  }

  /** Prepares the request of an operation. The text of the request tells the grant type of a token. */
  async prepare(operationId: string, request: string): Promise<void> {
    const [, grantType = ''] = /grant_type\W+(\w+)/.exec(request) ?? [];
    await this.#preparations[operationId]?.();
    if (operationId === 'issueToken') await this.#grants[grantType]?.();
  }

  /** Work before the request of an operation. */
  readonly #preparations: Readonly<Record<string, () => Promise<void>>> = {
    readStatuses: async () => this.#approving.prepareSigned(),
    streamTransaction: async () => this.#approving.prepareTransaction(),
    queryTransaction: async () => this.#approving.prepareSigned(),
    cancelTransaction: async () => this.#approving.prepareTransaction(),
    authorizeTransaction: async () => {
      await this.#asking.prepareTransaction({ Authorization: this.#asking.applicationCredentials });
      await this.#asking.upload();
    },
    uploadDocuments: async () => this.#approving.prepareTransaction(),
    uploadMoreDocuments: async () => this.#approving.prepareTransaction(),
    uploadToOnlySetting: async () => this.#approving.prepareTransaction(),
    downloadDocument: async () => this.#approving.prepareSigned(),
    validateSignatures: async () => this.#approving.prepareSigned(),
    introspectToken: async () => this.#approving.prepareToken('certificate_info signature_session'),
    addUser: async () => this.#preparePassword(),
    changeSelectedUser: async () => this.#prepareUser(),
    removeUser: async () => this.#prepareUser(),
    readComputer: async () => this.#prepareComputer(),
    changeComputer: async () => this.#prepareComputer(),
    readWebhook: async () => this.#prepareWebhook(),
    changeWebhook: async () => this.#prepareWebhook(),
    removeWebhook: async () => this.#prepareWebhook(),
    rotateWebhook: async () => this.#prepareWebhook(),
    testWebhook: async () => this.#prepareWebhook(),
    listDeliveries: async () => this.#prepareWebhook(),
    redeliverWebhook: async () => this.#prepareDelivery(),
  };

  /** Work before a request for a token, by grant type. */
  readonly #grants: Readonly<Record<string, () => Promise<void>>> = {
    authorization_code: async () => this.#approving.prepareCode('signature_session'),
    password: async () => this.#preparePassword(),
    refresh_token: async () => this.#approving.prepareToken('signature_session offline_access'),
  };

  #webhooks(): string {
    return `/applications/${this.#approving.variables['CLIENT_ID'] ?? ''}/webhooks`;
  }

  async #prepareWebhook(): Promise<void> {
    const { instance, variables, applicationCredentials } = this.#approving;
    const json = { url: 'https://shop.example/hook' };
    const headers = { Authorization: applicationCredentials };
    const { content } = await instance.send('POST', this.#webhooks(), { json, headers });
    variables['WEBHOOK_ID'] = String(content['id']);
  }

  async #prepareDelivery(): Promise<void> {
    const { instance, variables, applicationCredentials } = this.#approving;
    await this.#prepareWebhook();
    await instance.send('PUT', '/selected-user', { fields: { username: ana } });
    const headers = { Authorization: applicationCredentials };
    const json = { type: 'CAdES-detached', documents_source: 'DATA_URL', documents: 'data:text/plain,a', mode: 'sync' };
    const { status, body } = await instance.send('POST', '/signature-service', { json, headers });
    if (status !== 201) throw new Error(body);
    const place = `${this.#webhooks()}/${variables['WEBHOOK_ID'] ?? ''}/deliveries`;
    variables['DELIVERY_ID'] = await untilDefined(async () => {
      const { content } = await instance.send('GET', place, { headers });
      return (content['deliveries'] as readonly { readonly id: string }[])[0]?.id;
    }, 'a delivery in the log');
  }

  async #preparePassword(): Promise<void> {
    await this.#approving.put('password.txt', this.#approving.codeOf(maria));
  }

  /** Maria is a user of this computer; `USER_ID` is the id. */
  async #prepareUser(): Promise<void> {
    const { instance, variables } = this.#approving;
    const { content } = await instance.send('GET', '/user');
    const users = content['users'] as readonly { readonly id: number; readonly username: string }[];
    const known = users.find(({ username }) => username === maria);
    if (known !== undefined) {
      variables['USER_ID'] = String(known.id);
      return;
    }
    const code = this.#approving.codeOf(maria);
    await instance.sinete.handlers['user-interface']['assistant.add']({ username: maria, code });
    await this.#prepareUser();
  }

  async #prepareComputer(): Promise<void> {
    const fields = { client_name: 'Reception', force: 'true' };
    await this.#approving.instance.send('POST', '/application', { fields });
  }
}
