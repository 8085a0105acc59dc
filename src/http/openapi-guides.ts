/** Descriptions and examples of the OpenAPI document, by operation. */

/** A body of a request, with a sentence on when to send it. */
interface RequestExample {
  readonly summary: string;
  readonly value: unknown;
}

export interface OperationGuide {
  /** Only for operations that have no description in the table of endpoints. */
  readonly description?: string;
  /** Bodies for JSON and for forms, by name. */
  readonly requests?: Readonly<Record<string, RequestExample>>;
}

const tcn = 'b3Q7c0pXk2mVt9Yd5Zs8hRf1Wg';
const upload = 'Field document, or document[<id>] for an announced document; or the document itself as the body.';
const one = (summary: string, value: unknown): Readonly<Record<string, RequestExample>> => ({
  usual: { summary, value },
});
const client = { client_id: 'portal', client_secret: 'shown-once-at-registration' };

const signing: Readonly<Record<string, OperationGuide>> = {
  createTransaction: {
    requests: {
      UPLOAD_REFERENCE: {
        summary: 'Documents follow as uploads',
        value: { type: 'PAdES', documents_source: 'UPLOAD_REFERENCE' },
      },
      DATA_URL: {
        summary: 'Documents in the request; the answer waits for the signatures',
        value: {
          type: 'CAdES-detached',
          documents_source: 'DATA_URL',
          mode: 'sync',
          documents: [{ id: 'note', original_file_name: 'note.txt', data: 'data:text/plain;base64,SGVsbG8=' }],
        },
      },
      FILE_PATH: {
        summary: 'Files of this computer; results go beside them',
        value: {
          type: 'PAdES',
          documents_source: 'FILE_PATH',
          documents: [{ data: '/home/maria/contract.pdf' }],
        },
      },
      STORE_A_S3: {
        summary: 'Objects of an S3 store',
        value: {
          type: 'PAdES',
          documents_source: 'STORE_A_S3',
          documents_destination: 'STORE_A_S3',
          documents: [{ data: 's3://contracts/in/1.pdf', destination_file_name: 'signed/1.pdf' }],
        },
      },
      STORE_B_STORAGE: {
        summary: 'Objects of Google Cloud Storage',
        value: {
          type: 'PAdES',
          documents_source: 'STORE_B_STORAGE',
          documents_destination: 'STORE_B_STORAGE',
          documents: [{ data: 'gs://contracts/in/1.pdf', destination_file_name: 'signed/1.pdf' }],
        },
      },
      stamp: {
        summary: 'A visible signature, a policy and a notification',
        value: {
          type: 'PAdES',
          documents_source: 'UPLOAD_REFERENCE',
          policy: 'B-T',
          notification_callback: 'https://shop.example/signed?tcn=',
          signature_settings: [
            {
              id: 'default',
              reason: 'I agree',
              visible_sign_page: -1,
              visible_sign_x: 385,
              visible_sign_y: 780,
              visible_sign_width: 180,
              visible_sign_height: 50,
            },
          ],
        },
      },
    },
  },
  queryTransaction: {
    description: 'The TCN is enough. Ask with wait instead of asking often.',
  },
  uploadDocuments: { description: upload },
  uploadMoreDocuments: { description: upload },
  uploadToOnlySetting: { description: upload },
  downloadDocument: {
    description: 'The TCN and the id of the document are enough. Ranges and conditions work (RFC 9110 §13, §14).',
  },
  readStatuses: { requests: one('Two transactions', { tcns: [tcn, 'a2Q7c0pXk2mVt9Yd5Zs8hRf1Wg'] }) },
};

const monitoring: Readonly<Record<string, OperationGuide>> = {
  readDashboard: {
    description: 'Counts of documents since the installation.',
  },
  readMetrics: { description: '404 unless the configuration has metrics = true.' },
  checkLiveness: { description: 'For a supervisor: a process that does not answer this is started again.' },
  checkReadiness: {
    description:
      'For a load balancer. READ_ONLY waits for sinete recover, PAUSED for the owner, and DRAINING ends when its running work is done.',
  },
  checkHealth: {
    description:
      'Database, disk, key sources, time-stamp servers, clock and secret store. A try to write that succeeded counts for a second. full=true tells details.',
  },
};

const oauth: Readonly<Record<string, OperationGuide>> = {
  answerAuthorization: {
    requests: one('The person refuses', { request: 'value-of-the-page', decision: 'refuse' }),
  },
  awaitAuthorization: { description: 'The page reloads itself until the person has answered in the window.' },
  issueToken: {
    requests: {
      authorization_code: {
        summary: 'After the authorize page',
        value: {
          ...client,
          grant_type: 'authorization_code',
          code: 'code-of-the-redirect',
          redirect_uri: 'https://portal.example/back',
          code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        },
      },
      client_credentials: { summary: 'The application itself', value: { grant_type: 'client_credentials', ...client } },
      password: {
        summary: 'A person with a one-time password',
        value: { grant_type: 'password', username: '52998224725', password: '123456' },
      },
      refresh_token: {
        summary: 'The next access token; each refresh token works once',
        value: { grant_type: 'refresh_token', refresh_token: 'newest-refresh-token', ...client },
      },
    },
  },
  revokeToken: {
    description: 'RFC 7009: 200 for unknown tokens too.',
    requests: one('An access or refresh token', { token: 'opaque' }),
  },
  introspectToken: {
    description: 'RFC 7662: an application asks about its own tokens; every other token is inactive.',
    requests: one('A token of the application', { token: 'opaque', ...client }),
  },
  pushRequest: {
    requests: one('What the authorize page will show', {
      response_type: 'code',
      client_id: 'portal',
      redirect_uri: 'https://portal.example/back',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }),
  },
  describeServer: { description: 'Metadata of RFC 8414: the endpoints and what they support.' },
  registerApplication: {
    description: 'On this computer open to its user. The answer is the only one with the secrets.',
    requests: one('An application with limits', {
      name: 'Portal',
      comments: 'Signs contracts',
      email: 'help@portal.example',
      redirect_uris: ['https://portal.example/back'],
      limits: { documents_per_day: 200, document_size: 10_485_760, hours: '08:00-18:00' },
    }),
  },
  readApplication: {
    description: 'For the user of this computer; from other computers for administrators with the scope registry.',
  },
  changeApplication: {
    description:
      'Members that are left out stay as they are; limits are replaced as a whole, and hold from the next request on. ' +
      'From other computers for administrators with the scope registry.',
    requests: {
      limits: {
        summary: 'Other limits',
        value: { limits: { documents_per_day: 500, document_size: 10_485_760, hours: '08:00-18:00' } },
      },
      unlimited: { summary: 'No limits any more', value: { limits: {} } },
      addresses: { summary: 'Another address', value: { redirect_uris: ['https://portal.example/return'] } },
    },
  },
  readCertificateInformation: {
    description: 'For a token with the scope certificate_info; all certificates of its person.',
  },
};

const credentials = { username: '52998224725', password: '123456' };

const assistant: Readonly<Record<string, OperationGuide>> = {
  addUser: {
    description: 'The one-time password proves who the person is. The first user becomes the selected one.',
    requests: one('CPF or CNPJ, and one-time password', credentials),
  },
  listUsers: { description: 'The people who were added on this computer.' },
  removeUser: { description: 'Removing the selected user leaves none selected.' },
  readSelectedUser: { description: 'The person for whom applications sign.' },
  changeSelectedUser: {
    description: 'Selects one of the users of this computer.',
    requests: one('By CPF or CNPJ', { username: '52998224725' }),
  },
  listSelectedUserCertificates: { description: 'Certificates of the person, on tokens and in files.' },
  registerComputer: {
    description: '409 when the computer is registered, unless force is given.',
    requests: one('The name that people see', { client_name: 'Reception desk' }),
  },
  readComputer: { description: 'With the secret, for programs of the owner only.' },
  changeComputer: {
    description: 'Changes the name that people see.',
    requests: one('Another name', { client_name: 'Front desk' }),
  },
};

const webhook = { url: 'https://shop.example/hook', events: ['transaction.signed', 'transaction.failed'] };

const webhooks: Readonly<Record<string, OperationGuide>> = {
  listWebhooks: { description: 'Without secrets.' },
  addWebhook: {
    description: 'At most 20 endpoints an application. Keep the secret: it is not told again.',
    requests: one('Two kinds of event', webhook),
  },
  readWebhook: { description: 'Without its secret.' },
  changeWebhook: {
    description: 'Members that are left out stay as they are.',
    requests: one('Switch it off', { enabled: false }),
  },
  removeWebhook: { description: 'Deliveries that wait are dropped.' },
  rotateWebhook: {
    description: 'Both secrets sign during the overlap, so that no delivery is refused.',
    requests: one('An hour of overlap', { overlap: 3600 }),
  },
  testWebhook: { description: 'The call is made once and is not in the delivery log.' },
  listDeliveries: { description: 'Newest first, in pages.' },
  redeliverWebhook: { description: 'For a delivery that was given up; attempts count anew.' },
};

export const operationGuides: Readonly<Record<string, OperationGuide>> = {
  ...signing,
  ...monitoring,
  ...oauth,
  ...assistant,
  ...webhooks,
};

/** Values of parameters, by name. */
export const parameterExamples: Readonly<Record<string, unknown>> = {
  tcn,
  document_id: '0',
  eot: 'eot',
  signature_setting: 'default',
  id: 1,
  client_id: 'portal',
  webhook_id: 'wh_9hRf1WgZs8d5',
  delivery_id: 'msg_2mVt9Yd5Zs8h',
};
