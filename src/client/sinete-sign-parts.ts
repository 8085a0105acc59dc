/** The words and the style of `<sinete-sign>`. */
import type { SignProgress } from './types.ts';

/** The element's own words in a language; errors have theirs (`SineteError.forUser`). */
export interface ElementWords {
  readonly choose: string;
  readonly sign: string;
  readonly bridge: string;
  readonly cancel: string;
  readonly help: string;
  readonly progress: string;
  readonly results: string;
  readonly noFiles: string;
  readonly notSigned: string;
  readonly finding: string;
  readonly phases: Readonly<Record<SignProgress['phase'], string>>;
  readonly done: (signed: number, all: number) => string;
}

export const elementWords: Readonly<Record<'en' | 'pt-BR', ElementWords>> = {
  en: {
    choose: 'Files to sign',
    sign: 'Sign with Sinete',
    bridge: 'Sign in a window of Sinete',
    cancel: 'Cancel',
    help: 'Show me how',
    progress: 'Progress of the signature',
    results: 'Signed files',
    noFiles: 'Choose at least one file.',
    notSigned: 'not signed',
    finding:
      'Looking for Sinete. If the browser asks whether this site may reach programs on this device, choose Allow.',
    phases: {
      uploading: 'Sending the files…',
      approval: 'Approve the signature in the window of Sinete.',
      pin: 'Type the PIN in the window of Sinete.',
      signing: 'Signing…',
      finished: 'Finished.',
    },
    done: (signed, all) => `${signed} of ${all} signed.`,
  },
  'pt-BR': {
    choose: 'Arquivos para assinar',
    sign: 'Assinar com o Sinete',
    bridge: 'Assinar por uma janela do Sinete',
    cancel: 'Cancelar',
    help: 'Mostre como',
    progress: 'Andamento da assinatura',
    results: 'Arquivos assinados',
    noFiles: 'Escolha pelo menos um arquivo.',
    notSigned: 'não foi assinado',
    finding:
      'Procurando o Sinete. Se o navegador perguntar se este site pode acessar programas deste dispositivo, escolha Permitir.',
    phases: {
      uploading: 'Enviando os arquivos…',
      approval: 'Aprove a assinatura na janela do Sinete.',
      pin: 'Digite o PIN na janela do Sinete.',
      signing: 'Assinando…',
      finished: 'Pronto.',
    },
    done: (signed, all) => `${signed} de ${all} assinados.`,
  },
};

/** Pages change the look by the variables at `:host`, and by `sinete-sign[state=…]`. */
export const elementStyle = `
  :host {
    --sinete-color: #0b6e63; --sinete-on-color: #ffffff; --sinete-radius: 0.5rem; --sinete-gap: 0.75rem;
    --sinete-problem: #9a4d00; --sinete-font: inherit;
    display: block; font: var(--sinete-font);
  }
  [hidden] { display: none !important; }
  .picker span { display: block; margin-bottom: 0.25rem; }
  .picker { display: block; margin-bottom: var(--sinete-gap); }
  .buttons { display: flex; flex-wrap: wrap; gap: var(--sinete-gap); }
  button {
    font: inherit; padding: 0.55rem 1.1rem; min-height: 2.75rem; border-radius: var(--sinete-radius); cursor: pointer;
    border: 1px solid var(--sinete-color); background: transparent; color: var(--sinete-color);
  }
  #sign { background: var(--sinete-color); color: var(--sinete-on-color); }
  button:disabled { opacity: 0.55; cursor: default; }
  button:focus-visible, a:focus-visible, input:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
  #sign:focus-visible { outline-color: var(--sinete-color); }
  progress { display: block; width: 100%; margin-top: var(--sinete-gap); accent-color: var(--sinete-color); }
  #status { margin: var(--sinete-gap) 0 0; min-height: 1.5em; }
  :host([state=problem]) #status { border-left: 4px solid var(--sinete-problem); padding-left: 0.75rem; }
  ul { margin: var(--sinete-gap) 0 0; padding-left: 1.25rem; }
  ul:empty { display: none; }
  a { color: var(--sinete-color); overflow-wrap: anywhere; }
`;
