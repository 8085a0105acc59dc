/** Sentences for the user of a page, for each code of an error, and the place of the help for it. */
import type { BrowserName } from './browser-facts.ts';
import type { SineteErrorCode, SineteErrorReason } from './error-codes.ts';

/** A sentence in the two languages of this client. */
export interface UserText {
  readonly en: string;
  readonly 'pt-BR': string;
}

type Situation = SineteErrorCode | SineteErrorReason | 'safari' | 'brave';

const say = (en: string, pt: string): UserText => ({ en, 'pt-BR': pt });

const words: Record<Situation, UserText> = {
  NOT_INSTALLED: say(
    'Sinete was not found on this computer. Install it, or start it, then try again.',
    'O Sinete não foi encontrado neste computador. Instale-o, ou abra-o, e tente de novo.',
  ),
  BLOCKED_BY_BROWSER: say(
    'The browser keeps this site from Sinete. Allow it in the settings of the site, then try again.',
    'O navegador não deixa este site chegar ao Sinete. Permita nas configurações do site e tente de novo.',
  ),
  dismissed: say(
    'The question of the browser was closed without an answer. Try again, and choose Allow.',
    'A pergunta do navegador foi fechada sem resposta. Tente de novo e escolha Permitir.',
  ),
  denied: say(
    'This browser was told to keep this site from programs on this computer. Allow it in the settings of the site, then try again.',
    'Este navegador foi instruído a não deixar este site chegar aos programas deste computador. Permita nas configurações do site e tente de novo.',
  ),
  popup: say(
    'The browser did not open the window of Sinete. Allow windows of this site, then press the button again.',
    'O navegador não abriu a janela do Sinete. Permita janelas deste site e aperte o botão de novo.',
  ),
  FRAME_NOT_ALLOWED: say(
    'The page around this part does not let it reach Sinete. Tell the people who run this site.',
    'A página em volta desta parte não a deixa chegar ao Sinete. Avise quem cuida deste site.',
  ),
  INSECURE_PAGE: say(
    'This page is not protected by https, so the browser keeps it from Sinete. Open the page with https, or sign in the window of Sinete.',
    'Esta página não é protegida por https, e por isso o navegador não a deixa chegar ao Sinete. Abra a página com https, ou assine pela janela do Sinete.',
  ),
  UNREACHABLE: say(
    'Sinete does not answer. Look whether it is running, and whether the browser lets this site reach it, then try again.',
    'O Sinete não responde. Veja se ele está aberto e se o navegador deixa este site chegar até ele, e tente de novo.',
  ),
  safari: say(
    'Safari lets no site reach programs on this computer. Sign in the window of Sinete, or use another browser.',
    'O Safari não deixa nenhum site chegar a programas deste computador. Assine pela janela do Sinete, ou use outro navegador.',
  ),
  brave: say(
    'Sinete does not answer. Brave can keep sites from this computer without asking: allow "Localhost access" for this site, or sign in the window of Sinete.',
    'O Sinete não responde. O Brave pode barrar sites sem perguntar: permita "Acesso ao localhost" para este site, ou assine pela janela do Sinete.',
  ),
  BRIDGE_CLOSED: say(
    'The window of Sinete was closed before the work ended. Start again, and leave it open.',
    'A janela do Sinete foi fechada antes do fim. Comece de novo e deixe-a aberta.',
  ),
  BRIDGE_CUT: say(
    'This page may not speak with the window of Sinete. Tell the people who run this site.',
    'Esta página não pode conversar com a janela do Sinete. Avise quem cuida deste site.',
  ),
  NOT_ALLOWED: say(
    'Sinete did not let this site in. Open Sites in Sinete to change that.',
    'O Sinete não deixou este site entrar. Abra Sites no Sinete para mudar isso.',
  ),
  CREDENTIALS_REQUIRED: say(
    'This site has to identify you again. Sign in to the site, then try again.',
    'Este site precisa identificar você de novo. Entre no site e tente outra vez.',
  ),
  CERTIFICATE_REQUIRED: say(
    'There is no certificate to sign with, or more than one. Choose a certificate, or add one in Sinete.',
    'Não há certificado para assinar, ou há mais de um. Escolha um certificado, ou adicione um no Sinete.',
  ),
  INPUT_INVALID: say(
    'Sinete cannot sign this. Check the file and the chosen options.',
    'O Sinete não consegue assinar isto. Confira o arquivo e as opções escolhidas.',
  ),
  BUSY: say('Sinete is busy. Try again in a moment.', 'O Sinete está ocupado. Tente de novo em instantes.'),
  CANCELLED: say('Cancelled.', 'Cancelado.'),
  NOT_GENUINE: say(
    'The answer did not come from Sinete, and was not used.',
    'A resposta não veio do Sinete e não foi usada.',
  ),
  FAILED: say('Something went wrong in Sinete. Try again.', 'Algo deu errado no Sinete. Tente de novo.'),
};

/** The sentence for the user of a page, which names the remedy. */
export function userText(
  code: SineteErrorCode,
  reason: SineteErrorReason | undefined,
  browser: BrowserName = 'other',
): UserText {
  if (reason !== undefined) return words[reason];
  return words[code === 'UNREACHABLE' && (browser === 'safari' || browser === 'brave') ? browser : code];
}

/** Sections of the help page that are the same for every browser. */
const sections: Partial<Record<SineteErrorCode, string>> = {
  NOT_INSTALLED: 'install',
  FRAME_NOT_ALLOWED: 'for-the-site',
  BRIDGE_CUT: 'for-the-site',
  INSECURE_PAGE: 'http',
  BRIDGE_CLOSED: 'windows',
  NOT_ALLOWED: 'sites',
};

/** The section of the help page for an error, without the language; undefined without a section. */
export function helpSection(
  code: SineteErrorCode,
  reason: SineteErrorReason | undefined,
  browser: BrowserName,
): string | undefined {
  if (code === 'BLOCKED_BY_BROWSER') return reason === 'popup' ? 'windows' : `allow-${browser}`;
  if (code === 'UNREACHABLE') return `allow-${browser}`;
  return sections[code];
}
