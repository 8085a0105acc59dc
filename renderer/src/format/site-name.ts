/** The parts of a host: the owner of `domain` also controls all names before it. */
export interface SiteName {
  /** The part before the domain, its dot included; often empty. */
  readonly before: string;
  /** The registered domain: `example.com.br`. */
  readonly domain: string;
  /** Port, unless it is the default: `:8443`. */
  readonly port: string;
}

/** Second labels under country domains open for registration (`com.br`, `co.uk`). */
const sharedLabels =
  /^(ac|adv|app|art|blog|co|com|cnt|coop|dev|ecn|eco|edu|emp|eng|esp|etc|eti|fin|gob|gov|g12|ind|inf|jor|jus|leg|ltd|med|mil|mp|mus|ne|net|nom|or|org|ong|pro|psc|psi|rep|seg|social|srv|tec|tv|tur|web|wiki)$/;

/** Domains whose customers each have their own name below. */
const sharedHosts =
  /(^|\.)(github\.io|gitlab\.io|pages\.dev|workers\.dev|vercel\.app|netlify\.app|web\.app|firebaseapp\.com|herokuapp\.com|azurewebsites\.net|cloudfront\.net|amazonaws\.com|blogspot\.com|onrender\.com|ngrok\.io|ngrok-free\.app|trycloudflare\.com)$/;

/**
 * Splits the host of an origin. If in doubt, the domain gets more labels, and always at least two; addresses and single
 * names are not split.
 */
export function siteName(displayOrigin: string): SiteName {
  const [, host = displayOrigin, port = ''] = /^[a-z]+:\/\/(\[[^\]]*\]|[^:/]+)(:\d+)?/i.exec(displayOrigin) ?? [];
  const labels = host.split('.');
  if (host.startsWith('[') || /^[\d.]+$/.test(host) || labels.length < 3) return { before: '', domain: host, port };
  if (sharedHosts.test(host)) return { before: '', domain: host, port };
  const country = (labels.at(-1) ?? '').length === 2;
  const length = country && sharedLabels.test(labels.at(-2) ?? '') ? 3 : 2;
  if (labels.length <= length) return { before: '', domain: host, port };
  return { before: `${labels.slice(0, -length).join('.')}.`, domain: labels.slice(-length).join('.'), port };
}
