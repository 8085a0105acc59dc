import type { RequestHandler } from 'express';
import { httpProblems, serviceProblems, signingProblems, type ProblemKind } from '../problems/error-statuses.ts';
import { HttpError } from '../http-error.ts';
import { escapeHtml, sendPage } from './pages.ts';
import { problemLanguage } from '../problems/problem-language.ts';
import { problemText } from '../problems/problem-text.ts';

const kinds: Readonly<Record<string, ProblemKind>> = { ...signingProblems, ...httpProblems, ...serviceProblems };

/** `GET /problems/<code>`: the page that the `type` of a problem points to, with the cause and the remedy. */
export const showProblem: RequestHandler = (request, response) => {
  const { code } = request.params;
  const kind = typeof code === 'string' && Object.hasOwn(kinds, code) ? kinds[code] : undefined;
  const text = typeof code === 'string' ? problemText(code) : undefined;
  if (typeof code !== 'string' || kind === undefined || text === undefined) {
    throw new HttpError('ADDRESS_NOT_FOUND', 'No problem has this code: /docs lists the codes of each operation.');
  }
  const language = problemLanguage(request.get('Accept-Language'));
  const [cause, remedy, titlePt, causePt, remedyPt] = text;
  const isPt = language === 'pt';
  const title = isPt ? titlePt : kind.title;
  const parts = isPt
    ? [['Causa', causePt], ['Solução', remedyPt]]
    : [['Cause', cause], ['Remedy', remedy]]; // prettier-ignore
  response.vary('Accept-Language').set('Content-Language', isPt ? 'pt-BR' : 'en');
  sendPage(
    response,
    () => `<!doctype html>
<html lang="${isPt ? 'pt-BR' : 'en'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p><code>${escapeHtml(code)}</code>, HTTP ${kind.status}</p>
${parts.map(([head = '', text = '']) => `<h2>${head}</h2>\n<p>${escapeHtml(text)}</p>`).join('\n')}
</main>
</body>
</html>
`,
  );
};
