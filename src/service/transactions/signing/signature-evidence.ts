import type {
  Certificate,
  DigestAlgorithm,
  Hierarchy,
  IcpBrasilPolicy,
  MaterialCollector,
  PolicyArtifacts,
  Timestamper,
} from '../../../signing/index.ts';

/** Which time stamp server stamps, and how. */
export interface TimestampChoice {
  /** Id of the only one to ask; absent: those configured, in order, until one answers. */
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

/** Where levels above B-B get what they carry: time stamps, trust, revocation data. */
export interface SignatureEvidence {
  /** Ids of the servers that can be asked now, in the order in which they are asked. */
  timestampServers(): Promise<readonly string[]>;
  /** Rejects with `TSA_NOT_CONFIGURED`. */
  timestamper(choice: TimestampChoice): Promise<Timestamper>;
  readonly collector: MaterialCollector;
  /** The anchor of the certificate's valid path as of `at`; undefined when there is no such path. */
  findChainEnd(certificate: Certificate, chain: readonly Certificate[], at: Date): Promise<ChainEnd | undefined>;
  /**
   * The files that AD-RA keeps in a PDF: the policy, the list of approved policies, which names it, and the list's
   * signature, whose chain ends in a root of ICP-Brasil, or of the hierarchy `test` when that is the signer's.
   * Rejects with `POLICY_NOT_SUPPORTED` and a sentence that says how to get what is missing.
   */
  policyArtifacts(policy: IcpBrasilPolicy, signer: Hierarchy): Promise<PolicyArtifacts>;
}

/** What an instance has that was given nothing: no server, no trust. */
export const noEvidence: SignatureEvidence = {
  timestampServers: () => Promise.resolve([]),
  timestamper: () => Promise.reject(new Error('Without evidence no policy that needs a time stamp is accepted.')),
  collector: { collect: () => Promise.reject(new Error('Without evidence no policy that needs it is accepted.')) },
  findChainEnd: () => Promise.resolve(undefined),
  policyArtifacts: () => Promise.reject(new Error('Without evidence no policy that needs files is accepted.')),
};
