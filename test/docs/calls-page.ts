/** The page of the calls of every program, in English and Portuguese, from the programs of docs/examples/calls. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../docs/examples/calls');

const languages = [
  { title: 'JavaScript', file: 'calls.mjs', mark: 'js' },
  { title: 'Python', file: 'calls.py', mark: 'python' },
  { title: 'PHP', file: 'calls.php', mark: 'php' },
  { title: 'Java', file: 'Calls.java', mark: 'java' },
] as const;

interface Call {
  /** Mark of the part in the programs. */
  readonly part: string;
  readonly en: readonly [string, string];
  readonly pt: readonly [string, string];
}

const calls: readonly Call[] = [
  {
    part: 'one-call',
    en: [
      'Sign in one call',
      'The document is in the request, and the answer comes when it is signed. For documents up to some megabytes. While a person is asked, the answer may come earlier, after `signing.sync_timeout` (30 s), with `WAITING`: then query the TCN.',
    ],
    pt: [
      'Assinar em uma chamada',
      'O documento vai no pedido, e a resposta vem quando ele está assinado. Para documentos de até alguns megabytes. Enquanto alguém é perguntado, a resposta pode vir antes, após `signing.sync_timeout` (30 s), com `WAITING`: consulte então o TCN.',
    ],
  },
  {
    part: 'create',
    en: [
      'Create',
      'Starts a transaction. Repeat a call that broke off with the same `Idempotency-Key`. [The create request](../reference/create-request.md) has every field.',
    ],
    pt: [
      'Criar',
      'Inicia uma transação. Repita com a mesma `Idempotency-Key` uma chamada interrompida. [O pedido de criação](../reference/create-request.md) tem todos os campos.',
    ],
  },
  {
    part: 'upload',
    en: [
      'Upload',
      'Send one request for each document. `eot` in the address of the last request ends the uploads, and signing begins. The document itself may be the body, instead of a form: then `Content-Type` is `application/pdf` or `application/octet-stream`, and `Content-Disposition` has the name, with accents in `filename*`.',
    ],
    pt: [
      'Enviar',
      'Um pedido para cada documento. `eot` no endereço do último encerra os envios, e a assinatura começa. Em vez de um formulário, o corpo pode ser o próprio documento (`application/pdf`, ou `application/octet-stream`); `Content-Disposition` traz então o nome, com acentos em `filename*`.',
    ],
  },
  {
    part: 'query',
    en: [
      'Query',
      '`wait` holds the answer until the state changes, at most 60 seconds: give the HTTP client more time than that (httpx and others give up earlier by themselves). Each document is then `SIGNED`, or `ERROR` with `error.code` and `error.detail`.',
    ],
    pt: [
      'Consultar',
      '`wait` segura a resposta até o estado mudar, no máximo 60 segundos: dê ao cliente HTTP mais tempo que isso (o httpx e outros desistem antes por conta própria). Cada documento está então `SIGNED`, ou `ERROR` com `error.code` e `error.detail`.',
    ],
  },
  {
    part: 'download',
    en: [
      'Download',
      'The signed document, or the signature. `Content-Disposition` has its name, with accents in `filename*` (RFC 8187): the plain `filename` is for older programs.',
    ],
    pt: [
      'Baixar',
      'O documento assinado, ou a assinatura. `Content-Disposition` traz o nome, com acentos em `filename*` (RFC 8187); o `filename` simples é para programas antigos.',
    ],
  },
  {
    part: 'validate',
    en: [
      'Validate',
      'The verdict of each question has a `status` and a `code`: 1185 of `signature` means that every signature is intact. `type` is `CAdES` for a signature beside or around a file; a detached one needs `document` too.',
    ],
    pt: [
      'Validar',
      'O resultado de cada pergunta tem `status` e `code`: 1185 em `signature` significa que todas as assinaturas estão íntegras. `type` é `CAdES` para uma assinatura ao lado ou em volta de um arquivo; se ela for detached, envie também `document`.',
    ],
  },
  {
    part: 'token',
    en: [
      'Get a token',
      'Exchanges the code with which the browser came back from `/oauth/authorize`. [A token from a person](README.md#a-token-from-a-person) has the steps before, and [the recipes of the packages](../../clients/README.md) have the whole flow.',
    ],
    pt: [
      'Obter um token',
      'Troca o código com que o navegador voltou de `/oauth/authorize`. [O token de uma pessoa](integradores.md#o-token-de-uma-pessoa) tem os passos anteriores, e [as receitas dos pacotes](../../clients/README.md) têm o fluxo completo.',
    ],
  },
  {
    part: 'callback',
    en: [
      'Verify a callback',
      'Over the received bytes, before any of them is believed. `secret` is the `webhook_secret` that the registration of the application answered, or the `secret` of the webhook endpoint. The body of a notification is the transaction, whose `type` is that of the signature; a webhook has the transaction in `data`. [Events](../reference/events.md) has the bodies.',
    ],
    pt: [
      'Verificar um callback',
      'Sobre os bytes recebidos, antes de confiar neles. `secret` é o `webhook_secret` que o registro da aplicação respondeu, ou o `secret` do endpoint de webhook. O corpo de uma notificação é a transação, cujo `type` é o da assinatura; um webhook traz a transação em `data`. [Eventos](../reference/events.md) tem os corpos.',
    ],
  },
];

/** A part of a program, without the marks. */
function partOf(file: string, part: string): string {
  const text = readFileSync(join(folder, file), 'utf8');
  const found = new RegExp(`^ *(?://|#) \\[${part}\\]\\n([^]*?)^ *(?://|#) \\[`, 'm').exec(text)?.[1];
  if (found === undefined) throw new Error(`${file} has no part ${part}.`);
  const indent = /^ */.exec(found)?.[0] ?? '';
  return found.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim();
}

const blocks = (part: string): string =>
  languages.map(({ title, file, mark }) => `${title}:\n\n\`\`\`${mark}\n${partOf(file, part)}\n\`\`\``).join('\n\n');

/** The page in a language. */
export function callsPage(language: 'en' | 'pt'): string {
  const sections = calls.map((call) => `## ${call[language][0]}\n\n${call[language][1]}\n\n${blocks(call.part)}`);
  const files = languages.map(({ title, file }) => `[${title}](../examples/calls/${file})`).join(', ');
  const head =
    language === 'en'
      ? `# The calls of every program

The eight calls that most programs make, in four languages, without a package: ${files} are the whole programs, which the tests of Sinete run. [Client packages](../../clients/README.md) for JavaScript, Python and PHP do the same in fewer lines.

Requests come from a program of the same computer here. Elsewhere, or for another person, the create request needs [credentials](README.md#credentials-of-the-create-request) in \`Authorization\`. The other requests need the TCN only.

## What the programs share`
      : `# As chamadas de todo programa

As oito chamadas que quase todo programa faz, em quatro linguagens e sem pacotes: ${files} são os programas completos, que os testes do Sinete executam. [Pacotes](../../clients/README.md) para JavaScript, Python e PHP fazem o mesmo em menos linhas.

Os pedidos vêm aqui de um programa do mesmo computador. De outro lugar, ou para outra pessoa, o pedido de criação precisa de [credenciais](integradores.md#pessoas-e-aplicações) em \`Authorization\`. Os demais pedidos precisam só do TCN.

## O que os programas compartilham`;
  return [head, blocks('begin'), ...sections].join('\n\n');
}
