/** What of the trust data has ended, or ends soon: certificates of authorities, and the list of approved policies. */
import type { Certificate } from '../../signing/index.ts';

/** A root is replaced years ahead, because everything below it ends with it. */
const rootNotice = 3 * 365 * 24 * 60 * 60_000;
const authorityNotice = 365 * 24 * 60 * 60_000;

const day = (date: Date): string => date.toISOString().slice(0, 10);

function noticeOf({ commonName, notAfter }: Certificate, now: Date, notice: number): readonly string[] {
  if (notAfter < now) return [`${commonName} ended on ${day(notAfter)}.`];
  return notAfter.getTime() - now.getTime() < notice ? [`${commonName} ends on ${day(notAfter)}.`] : [];
}

/** A sentence for each part of the trust data that has ended, or ends soon. `listEnds`: of the newest list of policies. */
export function findStaleTrust(
  {
    anchors,
    intermediates,
  }: { readonly anchors: readonly Certificate[]; readonly intermediates: readonly Certificate[] },
  listEnds: Date | undefined,
  now: Date,
): readonly string[] {
  const list =
    listEnds === undefined || listEnds >= now
      ? []
      : [`The list of approved policies ended on ${day(listEnds)}. "sinete trust update" fetches a newer one.`];
  return [
    ...list,
    ...anchors.flatMap((anchor) => noticeOf(anchor, now, rootNotice)),
    ...intermediates.flatMap((authority) => noticeOf(authority, now, authorityNotice)),
  ];
}
