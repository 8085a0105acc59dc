export {
  chooseIcpBrasilPolicy,
  type PolicyChoice,
  type PolicyProblem,
  type PolicyProblemCode,
  type PolicyRequest,
} from './choose-icp-brasil-policy.ts';
export {
  ICP_BRASIL_POLICIES,
  policyOfOid,
  type IcpBrasilFormat,
  type IcpBrasilPolicy,
} from './choose-icp-brasil-policy.ts';
export { ICP_BRASIL_PROFILES } from './policy-files.ts';
export { readPolicyFile, readPolicyList, type ListedPolicy, type PolicyFile, type PolicyList } from './policy-files.ts';
export type { AllowedAlgorithm, IcpBrasilProfile, PolicyRow, PolicyTerms } from './policy-files.ts';
