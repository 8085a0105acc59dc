/** Textual form of a structure (RFC 7468 §3): `CERTIFICATE`, `PUBLIC KEY`. Ends with a line break. */
export function toPem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
