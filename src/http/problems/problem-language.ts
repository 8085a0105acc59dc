/** Cause and remedy in English, then the title, the cause and the remedy in Portuguese. */
export type ProblemText = readonly [cause: string, remedy: string, titlePt: string, causePt: string, remedyPt: string];

/** The languages of problems. */
export type ProblemLanguage = 'en' | 'pt';

/** The language that a client prefers; English if the client states none. */
export function problemLanguage(acceptLanguage: string | undefined): ProblemLanguage {
  const preferred = (acceptLanguage ?? '')
    .split(',')
    .map((entry) => {
      const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return { language: range.split('-', 1)[0] ?? '', quality: Number(quality) };
    })
    .filter(({ language, quality }) => (language === 'pt' || language === 'en') && quality > 0)
    .toSorted((one, other) => other.quality - one.quality);
  return preferred[0]?.language === 'pt' ? 'pt' : 'en';
}
