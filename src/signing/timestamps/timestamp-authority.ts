import type { HttpRequest } from '../http-client.ts';
import type { DigestAlgorithm } from '../keys/signer.ts';

/** How an authority knows its customer. Everything but `kind` and `user` is a secret. */
export type TimestampAuthentication =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  /** PEM; TLS client certificate. */
  | { readonly kind: 'client-certificate'; readonly certificate: string; readonly privateKey: string };

/** A time stamp authority over HTTP (RFC 3161 §3.4). */
export interface TimestampAuthority {
  /** The authority's name for the user, used in error messages. */
  readonly id: string;
  readonly url: string;
  /** The hash function of imprints when this authority comes first. */
  readonly digest: DigestAlgorithm;
  /** Dotted OID of the policy to ask for; absent: the authority's own choice. */
  readonly policy?: string;
  readonly authentication: TimestampAuthentication;
  /** Milliseconds for an exchange. */
  readonly timeout: number;
}

/** The parts of a request for authentication. */
export function credentialsOf(
  authentication: TimestampAuthentication,
): Pick<HttpRequest, 'authorization' | 'clientCertificate'> {
  switch (authentication.kind) {
    case 'none':
      return {};
    case 'basic': {
      const credentials = `${authentication.user}:${authentication.password}`;
      return { authorization: `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}` };
    }
    case 'bearer':
      return { authorization: `Bearer ${authentication.token}` };
    case 'client-certificate': {
      const { certificate, privateKey } = authentication;
      return { clientCertificate: { certificate, privateKey } };
    }
  }
}
