import { describeOperations } from './openapi/describe.ts';
import { documentedOperations } from './routes.ts';

/** Builds the OpenAPI 3.1 document of this server: `/openapi.json`. */
export function buildOpenApi(version: string): ReturnType<typeof describeOperations> {
  return describeOperations(documentedOperations, {
    info: {
      title: 'Sinete',
      version,
      description:
        'Signs documents with keys on this computer: CMS, CAdES, PDFSignature and PAdES; levels B-B to B-LTA (ETSI ' +
        'EN 319 122-1 and EN 319 142-1) and the ICP-Brasil policies AD-RB, AD-RT, AD-RV, AD-RC and AD-RA.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      contact: { name: 'Sinete' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Signing service', description: 'Transactions, uploads, results and the validator.' },
      { name: 'Authorization', description: 'OAuth 2.0 and certificate information.' },
      { name: 'Cloud keys (PSC)', description: 'The interface of cloud keys of ICP-Brasil (DOC-ICP-17.01).' },
      { name: 'Registry', description: 'Applications and their webhooks.' },
      { name: 'Monitoring', description: 'Counters, health and metrics.' },
      { name: 'Local helper', description: 'The users of this computer, and the computer as an application.' },
      { name: 'This instance', description: 'What this instance is.' },
    ],
  });
}
