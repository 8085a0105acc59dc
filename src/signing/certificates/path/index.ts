export { buildPath, type PathRequest } from './build-path.ts';
export { isSameName } from './distinguished-name.ts';
export {
  PATH_PROBLEM_CODES,
  type PathPolicies,
  type PathProblem,
  type PathProblemCode,
  type PathPurpose,
  type PathResult,
  type PathRules,
} from './path-result.ts';
