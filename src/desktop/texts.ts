import type { AskedSubject } from '../text/asked-subject.ts';
import type { DesktopLanguage } from '../ui-contract/desktop-contract.ts';

/** Texts of tray, menus, dialogs and notifications; the window has its own texts. */
export interface DesktopTexts {
  readonly state: Readonly<Record<'idle' | 'waiting' | 'no-key' | 'paused' | 'error', string>>;
  readonly nobodySelected: string;
  readonly users: string;
  readonly token: (label: string) => string;
  readonly noToken: string;
  readonly waiting: (count: number) => string;
  readonly lastSignatures: string;
  readonly noSignatures: string;
  readonly pause: string;
  readonly open: string;
  readonly installUpdate: (version: string) => string;
  readonly quit: string;
  readonly approvalTitle: (requester: string) => string;
  readonly approvalBody: (count: number, subject: AskedSubject) => string;
  readonly pinTitle: string;
  readonly siteTitle: (origin: string) => string;
  readonly siteBody: string;
  readonly failedTitle: string;
  readonly updateTitle: (version: string) => string;
  readonly updateReady: string;
  readonly updateElsewhere: string;
  readonly startFailed: string;
}

const ptBr: DesktopTexts = {
  state: {
    idle: 'Sinete: pronto para assinar',
    waiting: 'Sinete: algo espera por você',
    'no-key': 'Sinete: nenhum certificado disponível',
    paused: 'Sinete: em pausa',
    error: 'Sinete: algo não vai bem',
  },
  nobodySelected: 'Nenhum usuário selecionado',
  users: 'Usuário',
  token: (label) => `Token: ${label}`,
  noToken: 'Nenhum token conectado',
  waiting: (count) => (count === 1 ? 'Ver 1 pedido à espera' : `Ver ${count} pedidos à espera`),
  lastSignatures: 'Últimas assinaturas',
  noSignatures: 'Nenhuma ainda',
  pause: 'Pausar pedidos de programas e sites',
  open: 'Abrir o Sinete',
  installUpdate: (version) => `Instalar a versão ${version} e reiniciar`,
  quit: 'Encerrar',
  approvalTitle: (requester) => `${requester} pede a sua assinatura`,
  approvalBody: (count, subject) => {
    const [one, many] = {
      documents: ['documento', 'documentos'],
      hashes: ['resumo sem o documento', 'resumos sem os documentos'],
      data: ['bloco de dados sem documento', 'blocos de dados sem documento'],
    }[subject];
    return count === 1 ? `1 ${one} espera por você.` : `${count} ${many} esperam.`;
  },
  pinTitle: 'O PIN do token é necessário',
  siteTitle: (origin) => `${origin} pede acesso ao Sinete`,
  siteBody: 'Nada é assinado sem que você decida.',
  failedTitle: 'Uma assinatura não deu certo',
  updateTitle: (version) => `A versão ${version} do Sinete está disponível`,
  updateReady: 'Ela será instalada quando o Sinete for encerrado.',
  updateElsewhere: 'Instale-a do mesmo modo que instalou esta.',
  startFailed: 'O Sinete não pôde ser iniciado',
};

const en: DesktopTexts = {
  state: {
    idle: 'Sinete: ready to sign',
    waiting: 'Sinete: something waits for you',
    'no-key': 'Sinete: no certificate at hand',
    paused: 'Sinete: paused',
    error: 'Sinete: something is wrong',
  },
  nobodySelected: 'No user selected',
  users: 'User',
  token: (label) => `Token: ${label}`,
  noToken: 'No token plugged in',
  waiting: (count) => (count === 1 ? 'Look at 1 waiting request' : `Look at ${count} waiting requests`),
  lastSignatures: 'Last signatures',
  noSignatures: 'None yet',
  pause: 'Pause requests of programs and sites',
  open: 'Open Sinete',
  installUpdate: (version) => `Install version ${version} and restart`,
  quit: 'Quit',
  approvalTitle: (requester) => `${requester} asks for your signature`,
  approvalBody: (count, subject) => {
    const [one, many] = {
      documents: ['document', 'documents'],
      hashes: ['hash without its document', 'hashes without their documents'],
      data: ['piece of data without a document', 'pieces of data without a document'],
    }[subject];
    return count === 1 ? `1 ${one} waits for you.` : `${count} ${many} wait.`;
  },
  pinTitle: 'The PIN of the token is needed',
  siteTitle: (origin) => `${origin} asks for access to Sinete`,
  siteBody: 'Nothing is signed unless you decide so.',
  failedTitle: 'A signature failed',
  updateTitle: (version) => `Version ${version} of Sinete is available`,
  updateReady: 'It is installed when Sinete quits.',
  updateElsewhere: 'Install it the way you installed this one.',
  startFailed: 'Sinete could not be started',
};

const all: Readonly<Record<DesktopLanguage, DesktopTexts>> = { 'pt-BR': ptBr, en };

/** The texts of a language. */
export function textsOf(language: DesktopLanguage): DesktopTexts {
  return all[language];
}

/** The language of a locale (`pt-PT`, `en-GB`, `de`): Portuguese for Portuguese locales, else English. */
export function languageOf(locale: string): DesktopLanguage {
  return locale.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';
}
