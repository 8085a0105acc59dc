import { codeOfSigningError, type ServiceErrorCode } from '../../service/errors/index.ts';
import { errorWordsEn, errorWordsPt } from '../../text/error-words/index.ts';
import type { ProblemText } from './problem-language.ts';
import type { HttpErrorCode } from '../http-error.ts';

/** Cause and remedy of the HTTP layer's own refusals, in both languages. */
// prettier-ignore
const httpTexts: Record<HttpErrorCode, ProblemText> = {
  REQUEST_MALFORMED: ['The request could not be read.', 'Check the syntax of the body and of the address; the detail names the place.', 'A requisição não pôde ser lida', 'A requisição não pôde ser lida.', 'Confira a sintaxe do corpo e do endereço.'],
  BODY_NOT_UTF8: ['The body holds bytes that are not UTF-8. They would stay in the signature as unreadable characters.', 'Encode texts and file names as UTF-8.', 'O corpo não está em UTF-8', 'O corpo contém bytes que não são UTF-8 e ficariam ilegíveis dentro da assinatura.', 'Codifique textos e nomes de arquivos em UTF-8.'],
  REQUEST_TOO_LARGE: ['The body is longer than this instance reads at once.', 'Send documents with UPLOAD_REFERENCE, or raise limits.json_body.', 'A requisição é grande demais', 'O corpo é maior do que esta instância lê de uma vez.', 'Envie os documentos com UPLOAD_REFERENCE ou aumente limits.json_body.'],
  MEDIA_TYPE_NOT_SUPPORTED: ['The Content-Type or Content-Encoding is not read at this address.', 'Send the content type that the detail names, without compression.', 'O tipo de conteúdo não é aceito', 'O Content-Type ou o Content-Encoding não é aceito neste endereço.', 'Envie JSON ou formulário em UTF-8, sem compressão.'],
  METHOD_NOT_ALLOWED: ['The address exists and does not take this method.', 'Use one of the methods in the header Allow.', 'O método não é permitido', 'O endereço existe, mas não aceita este método.', 'Use um dos métodos do cabeçalho Allow.'],
  ADDRESS_NOT_FOUND: ['There is nothing at this address.', 'Compare the address with /docs.', 'Não há nada neste endereço', 'Não há nada neste endereço.', 'Compare o endereço com /docs.'],
  RANGE_NOT_SATISFIABLE: ['The requested range lies outside the file.', 'Ask for bytes inside the length in Content-Range, or for the whole file.', 'O intervalo está fora do arquivo', 'O intervalo pedido está fora do arquivo.', 'Peça bytes dentro do tamanho informado em Content-Range, ou o arquivo inteiro.'],
  PRECONDITION_FAILED: ['The file is not the version that If-Match or If-Unmodified-Since names.', 'Ask for the file again without the condition.', 'O arquivo é outro', 'O arquivo não é a versão que If-Match ou If-Unmodified-Since indica.', 'Peça o arquivo de novo, sem a condição.'],
  EXPECTATION_FAILED: ['The header Expect asks for something other than 100-continue.', 'Leave the header out.', 'A expectativa não pode ser atendida', 'O cabeçalho Expect pede algo diferente de 100-continue.', 'Retire o cabeçalho.'],
  HEADERS_TOO_LARGE: ['The headers of the request are longer than 16 KiB.', 'Send fewer or shorter headers.', 'Os cabeçalhos são grandes demais', 'Os cabeçalhos da requisição passam de 16 KiB.', 'Envie menos cabeçalhos, ou mais curtos.'],
  REQUEST_TOO_SLOW: ['The body of the request came too slowly.', 'Send it again over a faster connection, or in smaller parts.', 'A requisição veio devagar demais', 'O corpo da requisição veio devagar demais.', 'Envie de novo por uma conexão mais rápida ou em partes menores.'],
  REQUEST_TIMEOUT: ['The request did not arrive in time.', 'Send it again, or raise limits.request_timeout for slow connections.', 'A requisição demorou demais', 'A requisição não chegou a tempo.', 'Envie de novo, ou aumente limits.request_timeout para conexões lentas.'],
  CREDENTIALS_INVALID: ['Authorization is missing, wrong, expired or revoked.', 'Send a fresh one-time password, another access token, or the right client id and secret.', 'As credenciais não são válidas', 'O cabeçalho Authorization falta, está errado, vencido ou revogado.', 'Envie um novo código de uso único, outro token, ou o client id e o segredo corretos.'],
  SESSION_ENDED: ['The session of the window has ended.', 'Open the window again with a new link ("sinete link").', 'A sessão terminou', 'A sessão da janela terminou.', 'Abra a janela com um novo link ("sinete link").'],
  PAGE_NOT_BUILT: ['The files of this page have not been built in this installation.', 'Run "npm run build".', 'A página não foi gerada', 'Os arquivos desta página não foram gerados nesta instalação.', 'Execute "npm run build".'],
  HOST_NOT_OURS: ['The header Host names another computer.', 'Call this instance by 127.0.0.1 or localhost with its port.', 'A requisição é para outro endereço', 'O cabeçalho Host indica outro computador.', 'Chame esta instância por 127.0.0.1 ou localhost, com a porta.'],
  USER_NOT_ALLOWED: ['Another user of this computer called.', 'Start an instance of your own.', 'Outro usuário deste computador', 'Quem chamou é outro usuário deste computador.', 'Inicie a sua própria instância.'],
  PROOF_REQUIRED: ['This system does not tell which user calls, so a program proves that it may read the file of the instance.', 'Send X-Sinete-Proof, as the guide for integrators describes.', 'É preciso uma prova', 'Este sistema não informa qual usuário chama; por isso o programa prova que pode ler o arquivo da instância.', 'Envie X-Sinete-Proof, como descreve o guia para integradores.'],
  NAVIGATION_REFUSED: ['A browser opened, embedded or posted a form to an address for programs.', 'Call it with fetch in mode cors.', 'Não é uma página', 'Um navegador abriu, embutiu ou enviou um formulário a um endereço para programas.', 'Chame com fetch no modo cors.'],
  ORIGIN_OPAQUE: ['The page hides its origin (Origin: null).', 'Call from a page with an origin of its own.', 'A origem está oculta', 'A página oculta a sua origem (Origin: null).', 'Chame de uma página que tenha origem própria.'],
  ORIGIN_NOT_SECURE: ['The page was not served over https.', 'Serve the page over https, or from this computer.', 'O site não é seguro', 'A página não foi servida por https.', 'Sirva a página por https ou a partir deste computador.'],
  ORIGIN_NOT_GRANTED: ['Web sites may not call this address.', 'Call it from a program of the user.', 'O site não tem permissão', 'Sites não podem chamar este endereço.', 'Chame a partir de um programa do usuário.'],
  SITE_SCOPE_MISSING: ['The site lacks a permission that is never asked for.', 'The user gives it on the page Sites, or with "sinete sites allow".', 'Falta uma permissão ao site', 'O site não tem uma permissão que nunca é perguntada.', 'O usuário a concede na página Sites ou com "sinete sites allow".'],
  CONSENT_REFUSED: ['The user did not let this site in.', 'Ask the user; sites are let in on the page Sites.', 'O usuário não permitiu o site', 'O usuário não permitiu este site.', 'Peça ao usuário; a página Sites mostra as permissões.'],
  CONSENT_TIMEOUT: ['The user was asked about this site and did not answer in time.', 'Try again.', 'O usuário não respondeu', 'O usuário foi consultado sobre este site e não respondeu a tempo.', 'Tente de novo.'],
  CONSENT_UNAVAILABLE: ['The site is not let in, and no window is open in which the user could be asked.', 'Open the window, or run "sinete sites allow".', 'Não há a quem perguntar', 'O site não tem permissão e não há janela aberta para perguntar ao usuário.', 'Abra a janela ou execute "sinete sites allow".'],
  TOO_MANY_HELD_REQUESTS: ['Too many requests wait for the decision of the user.', 'Wait for the decision, then try again.', 'Há requisições demais à espera', 'Requisições demais esperam a decisão do usuário.', 'Espere a decisão e tente de novo.'],
  TOO_MANY_REQUESTS: ['Too many requests come from one address.', 'Wait as long as Retry-After says.', 'Requisições demais', 'Um mesmo endereço envia requisições demais.', 'Aguarde o tempo indicado em Retry-After.'],
  ADMINISTRATOR_REQUIRED: ['From another computer this needs the token of an administrator.', "Send an administrator's token.", 'É preciso o token de um administrador', 'De outro computador isto exige o token de um administrador.', 'Envie o token de um administrador.'],
  ADMINISTRATOR_SCOPE_MISSING: ["The token of the administrator is good, but not for this address.", 'Send a token with the scope that the address needs.', 'O token não tem o escopo', 'O token do administrador é válido, mas não para este endereço.', 'Envie um token com o escopo que o endereço exige.'],
  BLIND_REQUEST_REFUSED: ['A request in mode no-cors, or a WebSocket, is not held to the rules of CORS.', 'Use fetch in mode cors.', 'Requisições cegas são recusadas', 'Uma requisição no modo no-cors, ou um WebSocket, não segue as regras de CORS.', 'Use fetch no modo cors.'],
  CROSS_SITE_REFUSED: ['A page of another site loaded this address.', 'Call it with fetch in mode cors.', 'Outro site pediu isto', 'Uma página de outro site carregou este endereço.', 'Chame com fetch no modo cors.'],
  BRIDGE_KEY_UNKNOWN: ['The bridge window was closed, was loaded again, or was not used for ten minutes.', 'Open it again from a click.', 'A janela-ponte terminou', 'A janela-ponte foi fechada, recarregada ou ficou dez minutos sem uso.', 'Abra-a de novo a partir de um clique.'],
  BRIDGE_BOUND: ['The bridge window works for the first site that used it.', 'Open a window for this site from a click.', 'A janela-ponte trabalha para outro site', 'A janela-ponte trabalha para o primeiro site que a usou.', 'Abra uma janela para este site a partir de um clique.'],
  BRIDGE_REFUSED: ['This address is not for sites that come through the bridge window.', 'Call it from a program of the user.', 'Não pela janela-ponte', 'Este endereço não atende sites que vêm pela janela-ponte.', 'Chame a partir de um programa do usuário.'],
};

const httpCodes: Readonly<Record<string, ProblemText>> = httpTexts;
const english: Readonly<Record<ServiceErrorCode, readonly [string, string, string?]>> = errorWordsEn;
const portuguese: Readonly<Record<ServiceErrorCode, readonly [string, string, string, string?]>> = errorWordsPt;

const isServiceCode = (code: string): code is ServiceErrorCode =>
  Object.hasOwn(english, code) && typeof errorWordsEn[code as ServiceErrorCode] !== 'string';

/** The text of a code; codes of the signing core use the text of the matching service code. */
export function problemText(code: string): ProblemText | undefined {
  if (Object.hasOwn(httpCodes, code)) return httpCodes[code];
  const codes: Readonly<Record<string, string>> = codeOfSigningError;
  const known = isServiceCode(code) || !Object.hasOwn(codes, code) ? code : codes[code];
  if (known === undefined || !isServiceCode(known)) return undefined;
  const [cause, remedy] = english[known];
  const [title, causePt, remedyPt] = portuguese[known];
  return [cause, remedy, title, causePt, remedyPt];
}

/**
 * Title and detail in Portuguese; undefined for codes without a text. The detail describes the code, because sentences
 * about single fields exist in English only.
 */
export function portugueseText(code: string): { readonly title: string; readonly detail: string } | undefined {
  const text = problemText(code);
  if (text === undefined) return undefined;
  const [, , title, cause, remedy] = text;
  return { title, detail: `${cause} ${remedy}` };
}
