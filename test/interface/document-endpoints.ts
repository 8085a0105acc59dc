/** The endpoints of the interface document, in its order: number, method and path in its spelling. */
export interface DocumentEndpoint {
  readonly number: number;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** `later`: not served by this version. */
  readonly state: 'served' | 'later';
}

export const documentEndpoints: readonly DocumentEndpoint[] = [
  { number: 1, method: 'POST', path: '/signature-service', state: 'served' },
  {
    number: 2,
    method: 'POST',
    path: '/file-transfer/<tcn>/<eot, continue or empty>/<signature_setting>',
    state: 'served',
  },
  { number: 3, method: 'GET', path: '/signature-service/<tcn>', state: 'served' },
  { number: 4, method: 'GET', path: '/file-transfer/<tcn>/<document id>', state: 'served' },
  { number: 5, method: 'POST', path: '/validator-service', state: 'served' },
  { number: 6, method: 'GET', path: '/dashboard', state: 'served' },
  { number: 7, method: 'GET', path: '/health-check', state: 'served' },
  { number: 8, method: 'GET', path: '/oauth/authorize', state: 'served' },
  { number: 9, method: 'POST', path: '/oauth', state: 'served' },
  { number: 10, method: 'GET', path: '/certificate/info', state: 'served' },
  { number: 11, method: 'POST', path: '/v0/oauth/application', state: 'served' },
  { number: 12, method: 'POST', path: '/user', state: 'served' },
  { number: 13, method: 'GET', path: '/user', state: 'served' },
  { number: 14, method: 'DELETE', path: '/user/:id', state: 'served' },
  { number: 15, method: 'GET', path: '/selected-user', state: 'served' },
  { number: 16, method: 'PUT', path: '/selected-user', state: 'served' },
  { number: 17, method: 'GET', path: '/selected-user/certificates', state: 'served' },
  { number: 18, method: 'POST', path: '/application', state: 'served' },
  { number: 19, method: 'GET', path: '/application', state: 'served' },
  { number: 20, method: 'PUT', path: '/application', state: 'served' },
];
