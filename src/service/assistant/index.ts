/** The users of this computer and their sessions at an authorization server. */
export type { AssistantStore, NewCachedUser } from './assistant.ts';
export type {
  ApplicationRegistrar,
  Assistant,
  CachedUser,
  ComputerApplication,
  IdentityProvider,
  UserCertificate,
} from './assistant.ts';
export { createAssistant } from './create-assistant.ts';
export { embeddedIdentity, embeddedRegistrar } from './embedded.ts';
export { remoteIdentity, remoteRegistrar } from './remote.ts';
