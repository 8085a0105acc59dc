/** The five flows of the architecture page. Each step names its file; a test looks for the file. */
import { drawSequence, type Flow } from './sequence-diagram.ts';
import type { ReferencePage } from './make-reference.ts';

const sign: Flow = {
  name: 'sign',
  title: 'An application has a document signed',
  summary:
    'Create, upload, approve, sign, notify, download. A crash at any step leaves WAITING, which the next start takes up.',
  parties: ['Application', 'http', 'service', 'Window', 'Worker thread', 'storage'],
  steps: [
    ['Application', 'http', 'POST /signature-service', 'src/http/signing-service/signature-service.ts'],
    ['http', 'http', 'guard: host, user, origin', 'src/http/local-guard.ts'],
    ['http', 'service', 'create transaction', 'src/service/transactions/intake/create.ts'],
    ['service', 'storage', 'row with the TCN', 'src/storage/sql/stores/sql-transaction-store.ts'],
    ['Application', 'http', 'POST /file-transfer/TCN/eot', 'src/http/signing-service/file-transfer.ts'],
    ['http', 'service', 'stream the document', 'src/service/transactions/intake/upload.ts'],
    ['service', 'storage', 'file, hashed while written', 'src/storage/files/file-document-store.ts'],
    ['service', 'Window', 'ask for approval', 'src/app/calls/transactions.ts'],
    ['Window', 'service', 'approve', 'src/service/transactions/answers/decide.ts'],
    ['service', 'service', 'take the turn, open the key', 'src/service/transactions/signing/sign-documents.ts'],
    ['service', 'Worker thread', 'read and frame the PDF', 'src/signing/workers/worker-pool.ts'],
    ['Worker thread', 'service', 'sign this digest', 'src/signing/workers/remote-parts.ts'],
    ['service', 'storage', 'flush the result, then SIGNED', 'src/service/transactions/signing/sign-document.ts'],
    ['service', 'Application', 'notification from the outbox', 'src/service/notifications/deliver-notification.ts'],
    ['Application', 'http', 'GET /file-transfer/TCN/0', 'src/service/transactions/answers/result.ts'],
  ],
};

const site: Flow = {
  name: 'site',
  title: 'A web site is let in',
  summary: 'The browser names the origin; the owner decides. A grant never approves a signature.',
  parties: ['Web page', 'Browser', 'http', 'service', 'Window', 'storage'],
  steps: [
    ['Web page', 'Browser', 'fetch 127.0.0.1', 'src/client/find-helper.ts'],
    ['Browser', 'http', 'preflight with Origin', 'src/http/guard-request.ts'],
    ['http', 'http', 'judge host, user, Origin', 'src/http/local-guard.ts'],
    ['http', 'service', 'which scopes has the origin?', 'src/service/consent/consent.ts'],
    ['service', 'Window', 'let this site in?', 'src/service/consent/questions.ts'],
    ['Window', 'service', 'allow, until a date', 'src/app/calls/sites.ts'],
    ['service', 'storage', 'grant: origin, scopes, end', 'src/storage/sql/stores/sql-consent-store.ts'],
    ['http', 'Browser', 'answer for this origin only', 'src/http/guard-request.ts'],
    ['Browser', 'Web page', 'the answer may be read', 'src/client/signing-run.ts'],
  ],
};

const token: Flow = {
  name: 'token',
  title: 'A token is plugged in and signs',
  summary:
    'A driver is foreign native code: it runs in a process of its own, which may crash or hang. A PIN goes through once and is wiped.',
  parties: ['Window', 'service', 'supervisor', 'Token process', 'Driver'],
  steps: [
    ['Token process', 'Driver', 'wait for a change of slots', 'src/signing/keys/pkcs11/host-module.ts'],
    ['Token process', 'supervisor', 'slots and tokens', 'src/signing/keys/pkcs11/protocol.ts'],
    ['supervisor', 'service', 'keys of the token', 'src/signing/keys/pkcs11/token-key-source.ts'],
    ['service', 'Window', 'certificate there; PIN wanted', 'src/app/calls/certificates.ts'],
    ['Window', 'service', 'PIN', 'src/signing/keys/pin.ts'],
    ['service', 'supervisor', 'unlock', 'src/signing/keys/pkcs11/supervisor.ts'],
    ['supervisor', 'Token process', 'PIN, in one message', 'src/signing/keys/pkcs11/host-channel.ts'],
    ['Token process', 'Driver', 'C_Login, C_Sign', 'src/signing/keys/pkcs11/host-token.ts'],
    ['Token process', 'supervisor', 'signature values', 'src/signing/keys/pkcs11/token-signer.ts'],
    ['supervisor', 'service', 'verified with the public key', 'src/signing/keys/verified-signer.ts'],
  ],
};

const validate: Flow = {
  name: 'validate',
  title: 'A signature is validated',
  summary: 'First facts are gathered, then a pure function judges them, last the report is written.',
  parties: ['Caller', 'http', 'service', 'Worker thread', 'network'],
  steps: [
    ['Caller', 'http', 'POST /validator-service', 'src/http/signing-service/validator-service.ts'],
    ['http', 'http', 'parts into temporary files', 'src/http/signing-service/read-validator-form.ts'],
    ['http', 'service', 'validate these paths', 'src/service/validation/validator.ts'],
    ['service', 'Worker thread', 'job with time and memory', 'src/signing/workers/worker-pool.ts'],
    ['Worker thread', 'Worker thread', 'read hostile bytes', 'src/signing/validation/validate-signature.ts'],
    ['Worker thread', 'service', 'CRL, OCSP, issuers?', 'src/signing/workers/remote-validation.ts'],
    ['service', 'network', 'fetch from public hosts', 'src/network/http-client.ts'],
    ['Worker thread', 'Worker thread', 'judge the facts', 'src/signing/validation/judge/judge-signature.ts'],
    ['Worker thread', 'service', 'report', 'src/signing/validation/report/write-report.ts'],
    ['http', 'Caller', 'codes, verdict, signatures', 'src/http/signing-service/validator-body.ts'],
  ],
};

const user: Flow = {
  name: 'user',
  title: 'A person is added by a one-time password',
  summary: 'POST /user. Wrong codes cost growing pauses, which a restart does not end.',
  parties: ['Program', 'http', 'assistant', 'Identity', 'storage'],
  steps: [
    ['Program', 'http', 'POST /user: CPF, code', 'src/http/assistant/operations.ts'],
    ['http', 'assistant', 'add user', 'src/service/assistant/create-assistant.ts'],
    ['assistant', 'Identity', 'authenticate, here or remote', 'src/service/assistant/embedded.ts'],
    ['Identity', 'storage', 'count the attempt', 'src/service/users/attempt-limits.ts'],
    ['Identity', 'Identity', 'TOTP, each code once', 'src/service/users/one-time-password.ts'],
    ['Identity', 'assistant', 'name, CPF, photo', 'src/service/users/create-accounts.ts'],
    ['assistant', 'storage', 'user of this computer', 'src/storage/sql/stores/sql-assistant-store.ts'],
    ['http', 'Program', '201, or code 1056', 'src/http/assistant/bodies.ts'],
  ],
};

export const flows: readonly Flow[] = [sign, site, token, validate, user];

/** The page of the flows and its drawings, below docs/architecture. */
export function flowPages(): readonly ReferencePage[] {
  const sections = flows.map((flow) => {
    const rows = flow.steps.map(
      ([from, to, text, file], index) =>
        `| ${index + 1} | ${from === to ? from : `${from} → ${to}`} | ${text} | \`${file}\` |`,
    );
    return [
      `## ${flow.title}`,
      flow.summary,
      `![${flow.title}: the steps of the table below as a sequence diagram](flow-${flow.name}.svg)`,
      ['| # | Between | Step | File |', '| --: | --- | --- | --- |', ...rows].join('\n'),
    ].join('\n\n');
  });
  const introduction = '`npm run docs` writes this page and its drawings from `test/docs/flows.ts`.';
  return [
    { file: 'flows.md', text: `# Flows\n\n${introduction}\n\n${sections.join('\n\n')}\n` },
    ...flows.map((flow) => ({ file: `flow-${flow.name}.svg`, text: drawSequence(flow) })),
  ];
}
