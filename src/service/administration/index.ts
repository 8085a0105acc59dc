/** Administrators of an instance that other computers reach, and their tokens. */
export {
  ADMINISTRATOR_SCOPES,
  createAdministrators,
  isPermitted,
  type Administrator,
  type Administrators,
  type AdministratorScope,
  type AdministratorStore,
} from './administrators.ts';
