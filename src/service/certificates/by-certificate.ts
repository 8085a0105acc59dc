/** Certificates whose facts are in memory at most; the oldest ones are forgotten first. */
const MOST = 500;

/**
 * Remembers what `read` answers for a certificate: its bytes never change, and reading them takes longer than most of
 * what a request does with them. Errors are passed on and not remembered.
 */
export function byCertificate<Facts>(read: (certificate: Buffer) => Facts): (certificate: Buffer) => Facts {
  const known = new Map<string, { readonly facts: Facts }>();
  return (certificate) => {
    const content = certificate.toString('latin1');
    const found = known.get(content);
    if (found !== undefined) return found.facts;
    const facts = read(certificate);
    known.set(content, { facts });
    const [oldest] = known.keys();
    if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    return facts;
  };
}
