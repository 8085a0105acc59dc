/**
 * The certificate type by an ICP-Brasil policy OID: the arc behind 2.16.76.1.2 (DOC-ICP-04 §1.2, Resolução 211/2024).
 */

const POLICY_ARC = '2.16.76.1.2.';
const STATEMENT_ARC = '2.16.76.1.1.';
const GOV_BR_ARC = '2.16.76.3.2.';

const TYPES: ReadonlyMap<string, readonly [type: string, name: string]> = new Map([
  ['1', ['A1', 'ICP-Brasil, assinatura digital, tipo A1']],
  ['2', ['A2', 'ICP-Brasil, assinatura digital, tipo A2']],
  ['3', ['A3', 'ICP-Brasil, assinatura digital, tipo A3']],
  ['4', ['A4', 'ICP-Brasil, assinatura digital, tipo A4']],
  ['101', ['S1', 'ICP-Brasil, sigilo, tipo S1']],
  ['102', ['S2', 'ICP-Brasil, sigilo, tipo S2']],
  ['103', ['S3', 'ICP-Brasil, sigilo, tipo S3']],
  ['104', ['S4', 'ICP-Brasil, sigilo, tipo S4']],
  ['201', ['SE-S', 'ICP-Brasil, selo eletrônico em software']],
  ['202', ['SE-H', 'ICP-Brasil, selo eletrônico em hardware']],
  ['203', ['AE-S', 'ICP-Brasil, aplicação específica em software']],
  ['204', ['AE-H', 'ICP-Brasil, aplicação específica em hardware']],
  ['303', ['T3', 'ICP-Brasil, carimbo do tempo, tipo T3']],
  ['304', ['T4', 'ICP-Brasil, carimbo do tempo, tipo T4']],
  ['500', ['CF-e-SAT', 'ICP-Brasil, CF-e-SAT']],
  ['550', ['OM-BR', 'ICP-Brasil, objeto metrológico']],
]);

/** The type and the name of a policy; null for an OID without a type. */
export interface PolicyKind {
  /** `A1` … `A4`, `S1` … `S4`, `T3`, `T4`, `SE-S`, `SE-H`, `AE-S`, `AE-H`, `CF-e-SAT`, `OM-BR`. */
  readonly type: string | null;
  /** Brazilian Portuguese, as the policies themselves are. */
  readonly name: string | null;
}

/** By the whole arc: `.2.3.7` is A3, `.2.303.7` is T3. */
export function policyKind(oid: string): PolicyKind {
  if (oid.startsWith(POLICY_ARC)) {
    const [type, name] = TYPES.get(oid.slice(POLICY_ARC.length).split('.', 1)[0] ?? '') ?? [null, null];
    return { type, name };
  }
  if (oid.startsWith(STATEMENT_ARC)) {
    return { type: null, name: 'ICP-Brasil, declaração de práticas de certificação' };
  }
  return { type: null, name: oid.startsWith(GOV_BR_ARC) ? 'gov.br, assinatura eletrônica avançada' : null };
}
