/** ICP-Brasil's newest signature policies, and their files, published by ITI. */
import { fileURLToPath } from 'node:url';
import { ICP_BRASIL_POLICIES, type IcpBrasilPolicy } from '../../src/signing/index.ts';

/** The newest policy of each format and profile, basic profiles first. */
export function newestPolicies(): readonly IcpBrasilPolicy[] {
  const newest = new Map(ICP_BRASIL_POLICIES.map((policy) => [`${policy.format} ${policy.profile}`, policy]));
  return [...newest.values()];
}

/** The newest policy of a format and a profile. */
export function newestPolicy(format: IcpBrasilPolicy['format'], profile: IcpBrasilPolicy['profile']): IcpBrasilPolicy {
  const found = newestPolicies().find((policy) => policy.format === format && policy.profile === profile);
  if (found === undefined) throw new Error(`There is no policy ${profile} for ${format}.`);
  return found;
}

/** The path of a file published by ITI: of a policy, or by its name. */
export function policyFile(file: IcpBrasilPolicy | string): string {
  const name = typeof file === 'string' ? file : file.uri.replace(/^.*\//, '');
  return fileURLToPath(new URL(`../vectors/icp-brasil/${name}`, import.meta.url));
}
