import { z } from 'zod';
import { ServiceError } from '../../service/errors/index.ts';
import type { SettingsStore } from '../../service/settings/index.ts';
import type { SignatureEvidence } from '../../service/transactions/index.ts';
import {
  ICP_BRASIL_POLICIES,
  readPolicyFile,
  readPolicyList,
  SigningError,
  verifyCms,
  type Certificate,
  type Hierarchy,
  type HttpClient,
  type IcpBrasilPolicy,
  type PolicyArtifacts,
  type PolicyList,
} from '../../signing/index.ts';

const setting = 'policies.files';
const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));
const storedSchema = z.object({ policies: z.array(bytes), lists: z.array(bytes), signatures: z.array(bytes) });

type Stored = z.output<typeof storedSchema>;

/** ICP-Brasil's names of the list of policies for PDFs, and of its signature. */
const listName = 'LPA_PAdES.der';
const listSignatureName = 'LPA_PAdES.p7s';

/** Earlier pairs are kept, because a list and its signature arrive as two files. */
const keptPairs = 4;
const keptPolicies = 16;
const fileLimit = 2 ** 20;
/** Milliseconds. */
const fetchTimeout = 20_000;
const retryAfter = 60_000;

/** Services for fetching and checking the files. */
export interface PolicyFilesParts {
  readonly settings: SettingsStore;
  readonly http: HttpClient;
  /** Base address of the files. */
  readonly source: string;
  /** Hierarchy of the root of a certificate's path; undefined without a trusted root. */
  readonly findHierarchy: (
    certificate: Certificate,
    others: readonly Certificate[],
    at: Date,
  ) => Promise<Hierarchy | undefined>;
  readonly now: () => Date;
}

/** A list with a valid signature. */
interface SignedList {
  readonly list: PolicyList;
  readonly file: Buffer;
  readonly signature: Buffer;
  /** Hierarchy of the root above the list's signer. */
  readonly hierarchy: Hierarchy | undefined;
}

/** The result of fetching. */
interface Fetched {
  /** True if the list and its signature were fetched, so that no newer list is published. */
  readonly hasList: boolean;
  /** A sentence for each failure. */
  readonly failures: readonly string[];
}

/** The kind of a file. */
type Kind = 'policies' | 'lists' | 'signatures';

/** ICP-Brasil's policy files: imported or fetched, stored in the settings, and checked at each use. */
export class PolicyFiles {
  readonly #parts: PolicyFilesParts;
  #fetching: Promise<Fetched> | undefined;
  #fetched: Fetched = { hasList: false, failures: [] };
  #fetchedAt = -Infinity;

  constructor(parts: PolicyFilesParts) {
    this.#parts = parts;
  }

  /**
   * Stores a policy, a list of policies or the signature of a list; answers its name, or undefined for another file.
   */
  async import(file: Buffer): Promise<string | undefined> {
    const found = await kindOf(file, this.#parts.now());
    if (found === undefined) return undefined;
    const present = await this.#read();
    await this.#write({ ...present, [found.kind]: [file, ...present[found.kind]] });
    return found.name;
  }

  /** The end of the period of the newest policy list; undefined without a list. */
  async listEnds(): Promise<Date | undefined> {
    const { lists } = await this.#read();
    const ends = lists.map((file) => readPolicyList(file).nextUpdate);
    return ends.sort((one, other) => other.getTime() - one.getTime())[0];
  }

  /** Fetches the list, its signature, and the policies that the list names. */
  async update(): Promise<Fetched> {
    this.#fetching ??= this.#fetchAll().finally(() => {
      this.#fetching = undefined;
    });
    this.#fetched = await this.#fetching;
    this.#fetchedAt = this.#parts.now().getTime();
    return this.#fetched;
  }

  /** See `SignatureEvidence.policyArtifacts`. Missing or overdue files are fetched, once a minute at most. */
  readonly artifacts: SignatureEvidence['policyArtifacts'] = async (policy, signer) => {
    const first = await this.#find(policy, signer);
    if ('files' in first && !first.overdue) return first.files;
    const now = this.#parts.now().getTime();
    if (now - this.#fetchedAt >= retryAfter) await this.update();
    const { hasList, failures } = this.#fetched;
    const second = await this.#find(policy, signer);
    // A list past its next update remains in force until a newer list is published.
    if ('files' in second && (!second.overdue || hasList)) return second.files;
    const reason = 'problem' in second ? second.problem : 'The list of approved policies is overdue.';
    throw missing(policy, [reason, ...failures].join(' '));
  };

  async #find(
    policy: IcpBrasilPolicy,
    signer: Hierarchy,
  ): Promise<{ readonly files: PolicyArtifacts; readonly overdue: boolean } | { readonly problem: string }> {
    const stored = await this.#read();
    const file = stored.policies.find((one) => isPolicy(one, policy));
    if (file === undefined) return { problem: `The policy ${policy.oid} itself is not here.` };
    const signed = await this.#signedLists(stored);
    if (signed.length === 0) return { problem: 'The list of approved policies, or its signature, is not here.' };
    const trusted = signed.filter(
      ({ hierarchy }) => hierarchy === 'ICP-Brasil' || (hierarchy === 'test' && signer === 'test'),
    );
    if (trusted.length === 0) {
      return { problem: 'Who signed the list of approved policies is not trusted here ("sinete trust update").' };
    }
    const current = trusted.find(({ list }) =>
      list.policies.some(({ oid, revoked, isFile }) => oid === policy.oid && revoked === undefined && isFile(file)),
    );
    if (current === undefined) return { problem: `The list of approved policies does not have ${policy.oid}.` };
    return {
      files: { policy: file, policyList: current.file, policyListSignature: current.signature },
      overdue: current.list.nextUpdate < this.#parts.now(),
    };
  }

  /** The newest first. */
  async #signedLists({ lists, signatures }: Stored): Promise<readonly SignedList[]> {
    const found: SignedList[] = [];
    for (const file of lists) {
      for (const signature of signatures) {
        const { intact, signers, certificates } = await verifyCms(signature, file);
        const { certificate, signingTime } = signers[0] ?? {};
        if (!intact || certificate === undefined) continue;
        // A list counts during the period that it states, even if its signer's certificate expires earlier.
        const at = signingTime ?? this.#parts.now();
        const hierarchy = await this.#parts.findHierarchy(certificate, certificates, at);
        found.push({ list: readPolicyList(file), file, signature, hierarchy });
        break;
      }
    }
    return found.sort((one, other) => other.list.nextUpdate.getTime() - one.list.nextUpdate.getTime());
  }

  async #fetchAll(): Promise<Fetched> {
    const policies = ICP_BRASIL_POLICIES.filter(
      ({ format, profile, withdrawn }) => format === 'PAdES' && profile === 'AD-RA' && withdrawn === undefined,
    );
    const names = [listName, listSignatureName, ...policies.map(({ uri }) => uri.slice(uri.lastIndexOf('/') + 1))];
    const failed = new Map<string, string>();
    for (const name of names) {
      const failure = await this.#fetch(name);
      if (failure !== undefined) failed.set(name, `${name}: ${failure}`);
    }
    return { hasList: !failed.has(listName) && !failed.has(listSignatureName), failures: [...failed.values()] };
  }

  async #fetch(name: string): Promise<string | undefined> {
    try {
      const url = `${this.#parts.source.replace(/\/$/, '')}/${name}`;
      const answer = await this.#parts.http.send({ method: 'GET', url, timeout: fetchTimeout, maxBytes: fileLimit });
      if (answer.status !== 200) return `The address answered with HTTP status ${answer.status}.`;
      return (await this.import(answer.body)) === undefined ? 'The address answered with another file.' : undefined;
    } catch (error) {
      if (error instanceof SigningError) return error.message;
      throw error;
    }
  }

  async #read(): Promise<Stored> {
    const result = storedSchema.safeParse(await this.#parts.settings.read(setting));
    return result.success ? result.data : { policies: [], lists: [], signatures: [] };
  }

  async #write({ policies, lists, signatures }: Stored): Promise<void> {
    const encode = (files: readonly Buffer[], most: number): readonly string[] =>
      [...new Set(files.map((file) => file.toString('base64')))].slice(0, most);
    await this.#parts.settings.write(setting, {
      policies: encode(policies, keptPolicies),
      lists: encode(lists, keptPairs),
      signatures: encode(signatures, keptPairs),
    });
  }
}

/** The kind of a file; undefined for any other file. */
async function kindOf(file: Buffer, now: Date): Promise<{ readonly kind: Kind; readonly name: string } | undefined> {
  const policy = attempt(() => readPolicyFile(file));
  if (policy !== undefined) return { kind: 'policies', name: `Policy ${policy.oid}` };
  const list = attempt(() => readPolicyList(file));
  if (list !== undefined) {
    const until = list.nextUpdate.toISOString().slice(0, 10);
    const isOver = list.nextUpdate < now;
    const over = isOver ? ' (over: "sinete trust update" fetches a newer list)' : '';
    return { kind: 'lists', name: `List of ${list.policies.length} approved policies, until ${until}${over}` };
  }
  try {
    const { signers } = await verifyCms(file);
    return signers.length === 0 ? undefined : { kind: 'signatures', name: 'Signature of a list of policies' };
  } catch (error) {
    if (error instanceof SigningError) return undefined;
    throw error;
  }
}

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SigningError) return undefined;
    throw error;
  }
}

function isPolicy(file: Buffer, { oid, hash }: IcpBrasilPolicy): boolean {
  const found = attempt(() => readPolicyFile(file));
  return found?.oid === oid && found.hash === hash;
}

function missing({ uri }: IcpBrasilPolicy, reason: string): ServiceError {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  const code = 'POLICY_NOT_SUPPORTED';
  const detail =
    `AD-RA keeps its policy and ICP-Brasil's list of policies in the PDF. ${reason} "sinete trust update" fetches ` +
    `them; or put ${name}, ${listName} and ${listSignatureName} in a folder and run "sinete trust import FOLDER".`;
  return new ServiceError(code, detail, { problems: [{ field: 'policy', code, detail }] });
}
