import type { Scope } from '../../service/authorization/index.ts';

export const languages = ['pt-BR', 'en'] as const;
export type Language = (typeof languages)[number];

/** All texts of the authorize pages. Values from requests and certificates are escaped when a page is built. */
export interface PageTexts {
  readonly title: string;
  readonly asks: string;
  readonly mayDo: string;
  readonly scopes: Readonly<Record<Scope, string>>;
  /** The hashes that the application may have signed: their number, and whether they are already chosen. */
  readonly hashes: (most: number, areChosen: boolean) => string;
  readonly forAtMost: (duration: string) => string;
  readonly units: Readonly<Record<'day' | 'hour' | 'minute' | 'second', readonly [one: string, many: string]>>;
  readonly goesTo: string;
  readonly username: string;
  readonly usernameHint: string;
  readonly code: string;
  readonly codeHint: string;
  readonly allow: string;
  readonly refuse: string;
  readonly otherWay: string;
  readonly chooseWay: string;
  readonly byComputer: string;
  readonly byComputerHint: (name: string) => string;
  readonly nobodySelected: string;
  readonly byPassword: string;
  readonly byPasswordHint: string;
  readonly byTelephone: string;
  readonly byTelephoneHint: string;
  readonly telephoneScan: string;
  readonly telephoneOutOfReach: string;
  readonly qrCode: string;
  readonly waitTitle: string;
  readonly wait: (name: string) => string;
  readonly waitAgain: string;
  readonly back: string;
  readonly wrongCredentials: string;
  readonly tooMany: (duration: string) => string;
  readonly unavailable: string;
  readonly returning: string;
  readonly overTitle: string;
  readonly over: string;
  readonly badTitle: string;
  readonly badClient: string;
  readonly badRedirect: string;
  readonly noRedirect: string;
  readonly badRequestUri: string;
}

const english: PageTexts = {
  title: 'Authorize',
  asks: 'asks for your authorization',
  mayDo: 'It will be able to:',
  scopes: {
    single_signature: 'sign one document with your certificate',
    multi_signature: 'sign one batch of documents with your certificate',
    signature_session: 'sign documents with your certificate without asking again',
    authentication_session: 'know who you are',
    certificate_info: 'read your certificate: name, CPF or CNPJ, birth date, validity',
    service: 'see which certificates you have, and ask you for signatures',
    credential: 'sign hashes with your certificate',
    offline_access: 'renew this permission by itself until it ends',
  },
  hashes: (most, areChosen) =>
    `It may send ${most === 1 ? 'the fingerprint (hash) of one document' : `up to ${most} fingerprints (hashes)`}${areChosen ? ', already chosen,' : ''} to be signed instead of documents. Nobody here can show what a fingerprint stands for: authorize only an application that you trust.`,
  forAtMost: (duration) => `This lasts at most ${duration}.`,
  units: {
    day: ['day', 'days'],
    hour: ['hour', 'hours'],
    minute: ['minute', 'minutes'],
    second: ['second', 'seconds'],
  },
  goesTo: 'Afterwards you return to',
  username: 'CPF or CNPJ',
  usernameHint: 'Numbers only, or with points and dashes.',
  code: 'One-time password',
  codeHint: 'The 6 digits that your authenticator shows now, or a recovery code.',
  allow: 'Authorize',
  refuse: 'Refuse',
  otherWay: 'Other ways to authorize',
  chooseWay: 'How do you want to authorize?',
  byComputer: 'Approve on this computer',
  byComputerHint: (name) => `As ${name}, in the window of Sinete.`,
  nobodySelected: 'No user is selected in Sinete on this computer.',
  byPassword: 'One-time password',
  byPasswordHint: 'With the code of your authenticator.',
  byTelephone: 'With my telephone',
  byTelephoneHint: 'By a QR code.',
  telephoneScan: 'Point the camera of your telephone at the code to go on there.',
  telephoneOutOfReach:
    'This Sinete answers on this computer only, so a telephone cannot reach it. Use the one-time password that your telephone shows, or approve on this computer.',
  qrCode: 'QR code of this request',
  waitTitle: 'Waiting for your approval',
  wait: (name) => `Open the window of Sinete on this computer and approve as ${name}.`,
  waitAgain: 'This page goes on by itself.',
  back: 'Back',
  wrongCredentials:
    'The CPF or CNPJ or the one-time password is not right. Each code works once: wait for the next one.',
  tooMany: (duration) => `Too many wrong codes. Try again in ${duration}.`,
  unavailable: 'The one-time password cannot be checked now. See the health check of Sinete, and try again.',
  returning: 'You return to the application',
  overTitle: 'This page is over',
  over: 'It was answered already, or ten minutes have passed. Go back to the application and begin again.',
  badTitle: 'This request cannot be trusted',
  badClient: 'The application that sent you here is not registered. Nothing was authorized.',
  badRedirect:
    'The application wants to send you to an address that is not registered for it. Nothing was authorized, and you were not sent there.',
  noRedirect: 'The application has registered no address to which you could return. Nothing was authorized.',
  badRequestUri:
    'The request of the application is over, or was made for another one. Go back to the application and begin again.',
};

const portuguese: PageTexts = {
  title: 'Autorizar',
  asks: 'pede a sua autorização',
  mayDo: 'A aplicação poderá:',
  scopes: {
    single_signature: 'assinar um documento com o seu certificado',
    multi_signature: 'assinar um lote de documentos com o seu certificado',
    signature_session: 'assinar documentos com o seu certificado sem perguntar de novo',
    authentication_session: 'saber quem você é',
    certificate_info: 'ler o seu certificado: nome, CPF ou CNPJ, data de nascimento, validade',
    service: 'ver quais certificados você tem e pedir assinaturas a você',
    credential: 'assinar resumos (hashes) com o seu certificado',
    offline_access: 'renovar esta permissão sozinha até o fim do prazo',
  },
  hashes: (most, areChosen) =>
    `Ela poderá enviar ${most === 1 ? 'o resumo (hash) de um documento' : `até ${most} resumos (hashes)`}${areChosen ? ', já escolhidos,' : ''} para assinar no lugar dos documentos. Ninguém aqui consegue mostrar o que há por trás de um resumo: autorize somente uma aplicação em que você confia.`,
  forAtMost: (duration) => `Isso vale por no máximo ${duration}.`,
  units: {
    day: ['dia', 'dias'],
    hour: ['hora', 'horas'],
    minute: ['minuto', 'minutos'],
    second: ['segundo', 'segundos'],
  },
  goesTo: 'Depois você volta para',
  username: 'CPF ou CNPJ',
  usernameHint: 'Só números, ou com pontos e traços.',
  code: 'Senha de uso único',
  codeHint: 'Os 6 dígitos que o seu autenticador mostra agora, ou um código de recuperação.',
  allow: 'Autorizar',
  refuse: 'Recusar',
  otherWay: 'Outras formas de autorizar',
  chooseWay: 'Como você quer autorizar?',
  byComputer: 'Aprovar neste computador',
  byComputerHint: (name) => `Como ${name}, na janela do Sinete.`,
  nobodySelected: 'Nenhum usuário está selecionado no Sinete deste computador.',
  byPassword: 'Senha de uso único',
  byPasswordHint: 'Com o código do seu autenticador.',
  byTelephone: 'Com o meu telefone',
  byTelephoneHint: 'Por um código QR.',
  telephoneScan: 'Aponte a câmera do telefone para o código e continue por lá.',
  telephoneOutOfReach:
    'Este Sinete responde somente neste computador, e o telefone não chega até ele. Use a senha de uso único que o telefone mostra, ou aprove neste computador.',
  qrCode: 'Código QR deste pedido',
  waitTitle: 'Aguardando a sua aprovação',
  wait: (name) => `Abra a janela do Sinete neste computador e aprove como ${name}.`,
  waitAgain: 'Esta página continua sozinha.',
  back: 'Voltar',
  wrongCredentials:
    'O CPF ou CNPJ ou a senha de uso único não está certo. Cada código vale uma vez: espere pelo próximo.',
  tooMany: (duration) => `Muitos códigos errados. Tente de novo em ${duration}.`,
  unavailable: 'A senha de uso único não pode ser conferida agora. Veja o diagnóstico do Sinete e tente de novo.',
  returning: 'Você volta para a aplicação',
  overTitle: 'Esta página terminou',
  over: 'Ela já foi respondida, ou passaram dez minutos. Volte à aplicação e comece de novo.',
  badTitle: 'Este pedido não é confiável',
  badClient: 'A aplicação que enviou você para cá não está registrada. Nada foi autorizado.',
  badRedirect:
    'A aplicação quer enviar você para um endereço que não está registrado para ela. Nada foi autorizado, e você não foi enviado para lá.',
  noRedirect: 'A aplicação não registrou um endereço para o qual você possa voltar. Nada foi autorizado.',
  badRequestUri:
    'O pedido da aplicação já passou do prazo ou foi feito para outra aplicação. Volte à aplicação e comece de novo.',
};

export const pageTexts: Readonly<Record<Language, PageTexts>> = { 'pt-BR': portuguese, en: english };

/** `2 days`, `90 minutos`: the largest whole unit. */
export function describeDuration(seconds: number, { units }: PageTexts): string {
  const sizes = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  const [unit, size] = sizes.find(([, length]) => seconds >= length && seconds % length === 0) ?? ['second', 1];
  const count = Math.round(seconds / size);
  const [one, many] = units[unit];
  return `${count} ${count === 1 ? one : many}`;
}
