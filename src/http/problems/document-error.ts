import type { DocumentView } from '../../service/transactions/index.ts';
import type { ProblemLanguage } from './problem-language.ts';
import { portugueseText } from './problem-text.ts';

type DocumentError = NonNullable<DocumentView['error']>;

/**
 * Portuguese texts of codes whose usual text refers to other members of a problem: errors of documents lack those
 * members.
 */
const documentTexts: Readonly<Partial<Record<DocumentError['code'], string>>> = {
  REQUEST_INVALID:
    'O documento não permite o que a requisição pede, por exemplo uma imagem danificada. Confira os campos da ' +
    'assinatura visível (visible_sign_…).',
  SIGNING_FAILED: 'O documento não pôde ser assinado. Peça a assinatura de novo; se continuar, veja o log.',
  FIELD_NOT_FOUND:
    'O PDF não tem campo de assinatura vazio com este nome. Confira os campos do PDF ou retire field_name.',
  CERTIFICATE_NOT_FOUND:
    'Nenhum certificado tem este apelido, CPF ou CNPJ, ou nenhum pode assinar agora. Importe um arquivo ou insira o token.',
  BUSY: 'Documentos demais esperavam a assinatura. Peça a assinatura de novo mais tarde.',
  INTERNAL: 'O documento não pôde ser assinado por uma falha do próprio Sinete. Veja o log.',
};

/** The sentence about a failed document in the caller's language; see `documentError`. */
export function documentDetail(
  { code, detail }: { readonly code: string; readonly detail: string },
  language: ProblemLanguage,
): string {
  if (language === 'en') return detail;
  const texts: Readonly<Record<string, string>> = documentTexts;
  return (Object.hasOwn(texts, code) ? texts[code] : portugueseText(code)?.detail) ?? detail;
}

/**
 * The error of a document in the caller's language. The stored sentence is English; the Portuguese sentence describes
 * the code in general. The code never changes.
 */
export function documentError(error: DocumentError, language: ProblemLanguage): DocumentError {
  return { code: error.code, detail: documentDetail(error, language) };
}
