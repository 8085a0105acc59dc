/** Keys of the surroundings: applications, network, policies, drivers and updates. */
import { z } from 'zod';
import { MAX_SESSIONS } from '../../signing/index.ts';
import { DEFAULT_TEST_SERVICES_PORT } from '../../test-authority/index.ts';
import { absolutePath, algorithmEnd, applicationLimits, hashName, keyBits, type KeyRow } from './key-schemas.ts';

export const surroundingsKeys = {
  'applications.limits': {
    schema: applicationLimits,
    meaning:
      'Limits of applications by client id, beside those of the registry; the hours and the day are in local time: `"crm" = { documents_per_day = 200, document_size = 10485760, hours = "08:00-18:00" }`.',
    place: 'applicationLimits',
  },
  'network.allow': {
    schema: z.array(z.string()).default([]),
    meaning: 'Hosts in private networks that may be contacted: `name`, `name:port`, `10.0.0.0/8`.',
    place: 'network.allow',
  },
  'network.proxy': {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    meaning: 'The proxy. Default: that of the system.',
    place: 'network.proxy',
  },
  'network.no_proxy': {
    schema: z.array(z.string()).default([]),
    meaning: 'Hosts that are reached without the proxy.',
    place: 'network.noProxy',
  },
  'network.certificate_authorities': {
    schema: absolutePath.optional(),
    meaning: 'A PEM file with further authorities for TLS.',
  },
  'policies.source': {
    schema: z.url({ protocol: /^https?$/ }).default('http://politicas.icpbrasil.gov.br'),
    meaning: 'Where the signature policies of ICP-Brasil come from.',
    place: 'policiesSource',
  },
  'validation.algorithms': {
    schema: z.enum(['built-in', 'etsi-119-312', 'etsi-119-312-v1.5.1', 'etsi-119-312-v2.1.1']).default('built-in'),
    meaning:
      'The table of hash functions and keys for judging signatures: `built-in`, or the dates of ETSI TS 119 312. Without a version: the newest, V2.1.1.',
  },
  'validation.hashes': {
    schema: z.partialRecord(hashName, algorithmEnd).default({}),
    meaning:
      'Hash functions of your own policy, each until a day, `always` or `never`: `{ sha256 = "2030-01-01", sha1 = "never" }`.',
  },
  'validation.rsa_keys': {
    schema: z.record(keyBits, algorithmEnd).default({}),
    meaning:
      'Least bits of RSA keys, each until a day, `always` or `never`: `{ 3072 = "always", 2048 = "2029-01-01" }`. Shorter keys are not accepted.',
  },
  'validation.curve_keys': {
    schema: z.record(keyBits, algorithmEnd).default({}),
    meaning: 'The same of elliptic curves: `{ 256 = "always" }`.',
  },
  'test_services.port': {
    schema: z.number().int().min(1).max(65_535).default(DEFAULT_TEST_SERVICES_PORT),
    meaning: 'The port of `sinete test-services`; certificates of test identities name it.',
    place: 'testServicesPort',
  },
  'updates.mode': {
    schema: z.enum(['off', 'ask', 'automatic']).default('ask'),
    meaning: 'Whether the desktop looks for updates.',
    place: 'updates',
  },
  'keys.browsers': {
    schema: z.boolean().optional(),
    meaning:
      'Whether certificates in Firefox, Thunderbird and Chromium are offered (Linux); without this key, in a session of a person only.',
    place: 'browserKeys',
  },
  'pkcs11.sessions': {
    schema: z.number().int().min(1).max(MAX_SESSIONS).default(1),
    meaning:
      'Sessions of each token of a PKCS#11 driver in which this node signs at the same time: more than one suits an HSM.',
    place: 'tokenSessions',
  },
  'pkcs11.environment': {
    schema: z.record(z.string(), z.string()).default({}),
    meaning: 'Environment variables for the processes that load PKCS#11 drivers.',
    place: 'moduleEnvironment',
  },
} as const satisfies Readonly<Record<string, KeyRow>>;
