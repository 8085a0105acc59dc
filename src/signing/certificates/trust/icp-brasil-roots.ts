/**
 * Root certificates trusted by a fingerprint in this file. Only fingerprints are kept: the certificates come from a
 * package imported by the user, and are accepted when their fingerprints match.
 *
 * Source: the certificates published by ITI at http://acraiz.icpbrasil.gov.br/credenciadas/CertificadosAC-ICP-Brasil/
 * (ACcompactado.zip); for expired roots, the copies in the Brazilian government's reference signer. SHA-256 is computed
 * over each certificate's DER. Versions 4, 8 and 9 are in neither source.
 */

/** A root certificate acceptable on import. */
export interface PinnedRoot {
  readonly hierarchy: 'ICP-Brasil' | 'gov.br';
  /** `v5`; the first root of ICP-Brasil has no version in its name and is `v0` here. */
  readonly version: string;
  /** Lower-case hex SHA-256 of the DER. */
  readonly fingerprint: string;
  /** Validity, days in UTC; absent when unknown. */
  readonly notBefore?: string;
  readonly notAfter?: string;
  /** A note for the user. */
  readonly note?: string;
}

/** ICP-Brasil's roots: signatures below them are qualified (Lei 14.063/2020, art. 4, III). */
export const ICP_BRASIL_ROOTS = [
  {
    hierarchy: 'ICP-Brasil',
    version: 'v0',
    fingerprint: '687ea89089309d2cfe107db059fb10d676f45d3283aee056903eea0cf3c188f8',
    notBefore: '2001-11-30',
    notAfter: '2011-11-30',
  },
  {
    hierarchy: 'ICP-Brasil',
    version: 'v1',
    fingerprint: 'cbd8ed38d4a2d677d453d70dd8890af4f6374cba6299943f1ab3a6936c6fd795',
    notBefore: '2008-07-29',
    notAfter: '2021-07-29',
  },
  {
    hierarchy: 'ICP-Brasil',
    version: 'v2',
    fingerprint: 'fb47d92a9909fd4fa9bec02737543e1f3514ced747407a8d9cfa397b0915067c',
    notBefore: '2010-06-21',
    notAfter: '2023-06-21',
  },
  {
    hierarchy: 'ICP-Brasil',
    version: 'v3',
    fingerprint: '1226ebf38af7335ffb346de68840d5652d9be7413a65b989375edac6a7f16172',
    notBefore: '2010-06-21',
    notAfter: '2023-06-21',
  },
  {
    hierarchy: 'ICP-Brasil',
    version: 'v5',
    fingerprint: 'caa53fc6091c6951887c976e378f6ef89aa6377c55d97b6475422b71ed7e9b17',
    notBefore: '2016-03-02',
    notAfter: '2029-03-02',
  },
  {
    hierarchy: 'ICP-Brasil',
    version: 'v6',
    fingerprint: '3bdb9b509352f1d3d71c2bf64d9a38a4e6cebda27809d77f7ac476cbde6e314a',
    notBefore: '2018-12-28',
    notAfter: '2038-12-28',
    note: 'Its key is Ed448.',
  },
  {
    hierarchy: 'ICP-Brasil',
    version: 'v7',
    fingerprint: '5657e70580eb678983f3ed7dfce091d84cae6549389a47fccda8d0e4dc2cf576',
    notBefore: '2018-12-28',
    notAfter: '2038-12-28',
    note: 'Its key is of a kind outside the standards (1.3.6.1.4.1.44588.2.1), which OpenSSL does not read.',
  },
  {
    hierarchy: 'ICP-Brasil',
    version: 'v10',
    fingerprint: '6e0bff069a26994c15de2c4888cc54af84882e5495b7fbf66be9ccffec7489f6',
    notBefore: '2019-07-01',
    notAfter: '2032-07-01',
  },
  {
    hierarchy: 'ICP-Brasil',
    version: 'v11',
    fingerprint: '1406710058180fa4081aab3f246f1702429c552a11fa3143b84c88cb3ab8e5e7',
    notBefore: '2019-07-01',
    notAfter: '2032-07-01',
  },
  {
    hierarchy: 'ICP-Brasil',
    version: 'v12',
    fingerprint: 'd8478e37ce19c690cf657381e68fe600e4e1a042536830f06847e03e554c4b01',
    notBefore: '2024-10-22',
    notAfter: '2037-10-22',
  },
  {
    hierarchy: 'ICP-Brasil',
    version: 'v13',
    fingerprint: '2b07d0bc02c4a6e0478ed22d0d99e8f97e1827b269097696a7feb6aad30c3ac8',
    notBefore: '2025-02-14',
    notAfter: '2045-02-14',
    note: 'Its key is on brainpoolP512r1 with explicit parameters.',
  },
] as const satisfies readonly PinnedRoot[];

/** The federal government's own root (repo.iti.br): signatures below it are advanced, not qualified (art. 4, II). */
export const GOV_BR_ROOT = {
  hierarchy: 'gov.br',
  version: 'v1',
  fingerprint: '163bd003bc0df2beab88174b6d5b450b6e1dc973a64b2dc2a33218544f49ef4e',
  note: 'Advanced, not qualified.',
} as const satisfies PinnedRoot;

const BY_FINGERPRINT: ReadonlyMap<string, PinnedRoot> = new Map(
  [...ICP_BRASIL_ROOTS, GOV_BR_ROOT].map((root) => [root.fingerprint, root]),
);

/** The pinned root with this fingerprint, or undefined. */
export const pinnedRoot = (fingerprint: string): PinnedRoot | undefined => BY_FINGERPRINT.get(fingerprint);
