export type * from './sign-request.ts';
