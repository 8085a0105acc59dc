/** The page about trying things out, in English and Portuguese; the rows are tried by `test-mode.long.test.ts`. */

/** A create request with a known outcome, for an instance that approves everything. */
export interface TrialRow {
  readonly en: string;
  readonly pt: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** Value of `Prefer`. */
  readonly prefer?: string;
  readonly status: 201 | 422;
  /** Code of the refusal, or of the document with ERROR; absent: SIGNED. */
  readonly code?: string;
}

const base = { type: 'CAdES-detached', documents_source: 'DATA_URL', mode: 'sync', documents: 'data:text/plain,Hello' };

export const trialRows: readonly TrialRow[] = [
  { en: 'a signature', pt: 'uma assinatura', request: base, status: 201 },
  {
    en: 'an ERROR of the document: it is no PDF',
    pt: 'um ERROR do documento: não é um PDF',
    request: { ...base, type: 'PAdES', documents: 'data:application/pdf,Hello' },
    status: 201,
    code: 'DOCUMENT_NOT_A_PDF',
  },
  {
    en: 'one document SIGNED and one with ERROR: the transaction is ERROR',
    pt: 'um documento SIGNED e um com ERROR: a transação fica ERROR',
    request: { ...base, type: 'PAdES', documents: [{ data: 'PDF' }, { data: 'data:application/pdf,Hello' }] },
    status: 201,
    code: 'DOCUMENT_NOT_A_PDF',
  },
  {
    en: 'an unknown certificate',
    pt: 'um certificado desconhecido',
    request: { ...base, certificate_alias: 'nobody' },
    status: 422,
    code: 'CERTIFICATE_NOT_FOUND',
  },
  {
    en: 'a type that is not supported',
    pt: 'um tipo sem suporte',
    request: { ...base, type: 'XAdES' },
    status: 422,
    code: 'TYPE_NOT_SUPPORTED',
  },
  {
    en: 'a mistyped field, which changes nothing and is named in `ignored_fields`',
    pt: 'um campo com erro de digitação, que não muda nada e aparece em `ignored_fields`',
    request: { ...base, polcy: 'B-T' },
    status: 201,
  },
  {
    en: 'the same with `Prefer: handling=strict`',
    pt: 'o mesmo com `Prefer: handling=strict`',
    request: { ...base, polcy: 'B-T' },
    prefer: 'handling=strict',
    status: 422,
    code: 'REQUEST_INVALID',
  },
  {
    en: 'a time stamp while no time-stamp server is known',
    pt: 'um carimbo do tempo sem nenhum servidor conhecido',
    request: { ...base, policy: 'B-T' },
    status: 422,
    code: 'TSA_NOT_CONFIGURED',
  },
];

/** A time stamp of the test services. */
export const stampedRequest = { ...base, policy: 'B-T', tsa_server_id: 'test' };

/** Numbers with right check digits that belong to nobody in particular, as tests of many programs use them. */
export const testNumbers = {
  good: ['529.982.247-25', '111.444.777-35', '11.222.333/0001-81'],
  wrong: ['111.111.111-11', '529.982.247-26'],
} as const;

/** Keys of the configuration that make something expire within seconds, with the code of the outcome. */
export const expiries = [
  {
    variable: 'SINETE_APPROVAL_TIMEOUT',
    code: 'APPROVAL_EXPIRED',
    en: 'nobody approves in time (`--approve ask`): the document is ERROR',
    pt: 'ninguém aprova a tempo (`--approve ask`): o documento fica ERROR',
  },
  {
    variable: 'SINETE_SIGNING_UPLOAD_TIMEOUT',
    code: 'UPLOAD_EXPIRED',
    en: 'an upload without `eot`: the documents received so far are ERROR',
    pt: 'um envio sem `eot`: os documentos já recebidos ficam ERROR',
  },
  {
    variable: 'SINETE_SIGNING_LIFETIME',
    code: 'LIFETIME_OVER',
    en: 'the result is not fetched in time: a later download is answered with 410',
    pt: 'o resultado não é buscado a tempo: um download posterior recebe 410',
  },
] as const;

const cell = (text: string): string => text.replaceAll('|', '\\|');

function trialTable(language: 'en' | 'pt'): string {
  const head = language === 'en' ? ['To get', 'Send', 'Answer'] : ['Para obter', 'Envie', 'Resposta'];
  const rows = trialRows.map(({ en, pt, request, prefer, status, code }) => {
    const outcome = code === undefined ? '`SIGNED`' : `\`${code}\``;
    const sent = `\`${JSON.stringify(request)}\`${prefer === undefined ? '' : `, \`Prefer: ${prefer}\``}`;
    return [language === 'en' ? en : pt, sent, `${status} ${outcome}`];
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

function expiryTable(language: 'en' | 'pt'): string {
  const head = language === 'en' ? ['Variable', 'What expires', 'Code'] : ['Variável', 'O que expira', 'Código'];
  const rows = expiries.map((one) => [`\`${one.variable}=1\``, one[language], `\`${one.code}\``]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const list = (numbers: readonly string[]): string => numbers.map((number) => `\`${number}\``).join(', ');

const identity = `\`\`\`sh
export SINETE_DATA=/tmp/sinete-trial
export SINETE_SECRET_STORE_MODE=key-file SINETE_SECRET_STORE_KEY_FILE=/tmp/sinete-trial.key
npx sinete certificates test-identity --name "Maria da Silva" --cpf 529.982.247-25
npx sinete serve --approve all
\`\`\``;

const services = `\`\`\`sh
npx sinete test-services
\`\`\``;

/** The page in a language. */
export function testModePage(language: 'en' | 'pt'): string {
  return language === 'en'
    ? `# Test mode

Everything on this page happens in a data folder of its own, with keys that have no legal value. There is no switch that makes a real key harmless: use another folder.

## A test identity

${identity}

\`--approve all\` approves each request without a question, on this computer only. \`--approve ask\` asks in the window, \`--approve listed\` approves the applications that the configuration names.

## A test person

\`npx sinete users add --name "Maria da Silva" --username 529.982.247-25 --otpauth-file maria.txt --json\` enrols a person without a question. \`maria.txt\` has the \`otpauth:\` address for any TOTP library, and each of the printed \`recovery_codes\` serves once in the place of a one-time password.

## Test numbers

Sinete checks the digits of a CPF and of a CNPJ. ${list(testNumbers.good)} are accepted; ${list(testNumbers.wrong)} are refused.

## Test services

${services}

While this command runs in a terminal of its own, the time-stamp server \`test\` answers, and the revocation of test certificates can be asked about: \`{"policy":"B-T","tsa_server_id":"test"}\` is signed, and a validation finds the certificate not revoked. Without the services a validation is _undetermined_.

## Outcomes on demand

Requests of \`POST /signature-service\` for an instance with \`--approve all\`. \`PDF\` stands for the data URL of any PDF.

${trialTable('en')}

## A refusal, a cancellation

Start with \`--approve ask\`, create a transaction and refuse it in the window: the document is ERROR with \`APPROVAL_REFUSED\`. \`DELETE /signature-service/<tcn>\` cancels a transaction that waits: the document is ERROR with \`CANCELLED\`.

## Expiry

Start the instance with one of these variables, which count in seconds. Approvals and uploads are looked at once a minute:

${expiryTable('en')}

## Callbacks

\`POST /applications/<client_id>/webhooks/<webhook_id>/test\` sends \`webhook.test\` now and tells whether it was delivered. A receiver on this computer is reached from requests of this computer, without a setting.`
    : `# Modo de teste

Tudo nesta página acontece em uma pasta de dados separada, com chaves sem valor legal. Nenhuma opção torna inofensiva uma chave real: use outra pasta.

## Uma identidade de teste

${identity}

\`--approve all\` aprova cada pedido sem perguntar, só neste computador. \`--approve ask\` pergunta na janela, e \`--approve listed\` aprova as aplicações que a configuração nomeia.

## Uma pessoa de teste

\`npx sinete users add --name "Maria da Silva" --username 529.982.247-25 --otpauth-file maria.txt --json\` cadastra uma pessoa sem perguntas. \`maria.txt\` tem o endereço \`otpauth:\` para qualquer biblioteca de TOTP, e cada um dos \`recovery_codes\` mostrados serve uma vez no lugar de uma senha de uso único.

## Números de teste

O Sinete confere os dígitos de um CPF e de um CNPJ. ${list(testNumbers.good)} são aceitos; ${list(testNumbers.wrong)} são recusados.

## Serviços de teste

${services}

Enquanto esse comando roda em um terminal próprio, o servidor de carimbo do tempo \`test\` responde, e a revogação dos certificados de teste pode ser consultada: \`{"policy":"B-T","tsa_server_id":"test"}\` é assinado, e a validação encontra o certificado não revogado. Sem os serviços, a validação fica _indeterminada_.

## Resultados sob medida

Pedidos de \`POST /signature-service\` para uma instância com \`--approve all\`. \`PDF\` representa a data URL de um PDF qualquer.

${trialTable('pt')}

## Uma recusa, um cancelamento

Inicie com \`--approve ask\`, crie uma transação e recuse-a na janela: o documento fica ERROR com \`APPROVAL_REFUSED\`. \`DELETE /signature-service/<tcn>\` cancela uma transação em espera: o documento fica ERROR com \`CANCELLED\`.

## Expiração

Inicie a instância com uma destas variáveis, em segundos. Aprovações e envios são verificados a cada minuto:

${expiryTable('pt')}

## Callbacks

\`POST /applications/<client_id>/webhooks/<webhook_id>/test\` envia \`webhook.test\` na hora e diz se foi entregue. Um receptor neste computador é alcançado por pedidos deste computador, sem configuração.`;
}
