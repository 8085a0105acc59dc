import type {
  Certificate,
  DigestAlgorithm,
  Hierarchy,
  IcpBrasilPolicy,
  MaterialCollector,
  PolicyArtifacts,
  Timestamper,
} from '../../../signing/index.ts';

/** The choice of a time stamp server, with the hash function. */
export interface TimestampChoice {
  /** Id of the only server to ask; absent: all configured servers, in order, until the first answer. */
  readonly server?: string;
  /** Hash of the imprints; absent: the server's own. */
  readonly digest?: DigestAlgorithm;
}

/** Where the chain of a certificate ends. */
export interface ChainEnd {
  /** Lower-case hex SHA-256 of the anchor. */
  readonly fingerprint: string;
  readonly hierarchy: Hierarchy;
}

/** The source of evidence for levels above B-B: time stamps, trust, revocation data. */
export interface SignatureEvidence {
  /** Ids of the available servers, in the order of requests. */
  timestampServers(): Promise<readonly string[]>;
  /** Rejects with `TSA_NOT_CONFIGURED`. */
  timestamper(choice: TimestampChoice): Promise<Timestamper>;
  readonly collector: MaterialCollector;
  /** The anchor of the certificate's valid path as of `at`; undefined when there is no such path. */
  findChainEnd(certificate: Certificate, chain: readonly Certificate[], at: Date): Promise<ChainEnd | undefined>;
  /**
   * The policy files of AD-RA in a PDF: the policy, the list of approved policies with this policy, and the list's
   * signature. The signature's chain ends in a root of ICP-Brasil, or of the hierarchy `test` for a test signer.
   * Rejects with `POLICY_NOT_SUPPORTED` and a sentence with the way to get missing files.
   */
  policyArtifacts(policy: IcpBrasilPolicy, signer: Hierarchy): Promise<PolicyArtifacts>;
}

/** The evidence of an instance without servers and trust. */
export const noEvidence: SignatureEvidence = {
  timestampServers: () => Promise.resolve([]),
  timestamper: () => Promise.reject(new Error('Without evidence no policy that needs a time stamp is accepted.')),
  collector: { collect: () => Promise.reject(new Error('Without evidence no policy that needs it is accepted.')) },
  findChainEnd: () => Promise.resolve(undefined),
  policyArtifacts: () => Promise.reject(new Error('Without evidence no policy that needs files is accepted.')),
};
