import { signatureForm, signatureTypes, typeAliases } from '../../request/signature-types.ts';
import { parseSignaturePolicy } from '../../service/transactions/index.ts';
import { findName } from '../../text/closed-set.ts';

/** A policy with the name of a signature family in front, as in `PAdES_AD_RT`. */
export interface TypedPolicy {
  readonly family: 'CAdES' | 'PAdES';
  readonly policy: string;
}

/** Reads `CAdES_AD_RB`: letter case and the kind of hyphen do not matter. Undefined for any other text. */
export function readTypedPolicy(text: unknown): TypedPolicy | undefined {
  if (typeof text !== 'string') return undefined;
  const [, family, rest = ''] = /^\s*(cades|pades)[-_ ](.+)$/i.exec(text) ?? [];
  const policy = parseSignaturePolicy(rest);
  if (family === undefined || policy === undefined) return undefined;
  return { family: family.toLowerCase() === 'cades' ? 'CAdES' : 'PAdES', policy };
}

/**
 * Splits a name of type and policy in either of the two fields. A name in `policy` gives the type only where the request
 * has none; a name that contradicts the other field stays as sent, for `refuseUnsupported`.
 */
export function splitTypedPolicy(body: Record<string, unknown>): Record<string, unknown> {
  const ofPolicy = readTypedPolicy(body.policy);
  const ofType = readTypedPolicy(body.type);
  const type = ofType?.family ?? body.type ?? ofPolicy?.family;
  const isSplit = ofPolicy !== undefined && agrees(ofPolicy, type);
  const policy = isSplit ? ofPolicy.policy : (body.policy ?? ofType?.policy);
  return { ...body, ...(type === undefined ? {} : { type }), ...(policy === undefined ? {} : { policy }) };
}

function agrees({ family }: TypedPolicy, type: unknown): boolean {
  const named = typeof type === 'string' ? type : '';
  const alias = findName(['CMS', 'CAdES'], named);
  const known = alias === undefined ? findName(signatureTypes, named) : typeAliases[alias];
  // An unknown type is refused by its own name.
  if (known === undefined) return true;
  const { container, profile } = signatureForm(known);
  return profile === 'cades' && container === (family === 'PAdES' ? 'pdf' : 'cms');
}
