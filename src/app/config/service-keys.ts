/** Keys of the service: how callers reach it, what they may do, and how it is watched. */
import { z } from 'zod';
import { absolutePath, callerName, seconds, serviceUrl, shortName, siteGrants, type KeyRow } from './key-schemas.ts';
import { listenEntry, publicUrl } from './listen.ts';

export const serviceKeys = {
  sites: {
    schema: siteGrants,
    meaning:
      'Web sites that are let in without a question: origin and scopes, as in `"https://portal.example" = ["certificates:read", "sign"]`.',
    place: 'sites',
  },
  'authorization.url': {
    schema: serviceUrl.optional(),
    meaning: 'Another instance whose authorization service is used instead of the own one.',
    place: 'authorizationUrl',
  },
  'registry.url': {
    schema: serviceUrl.optional(),
    meaning: 'Another instance whose registry of applications is used instead of the own one.',
    place: 'registryUrl',
  },
  port: {
    schema: z.number().int().min(1).max(65_535).optional(),
    meaning: 'The port on the loopback address. Default: the first free one of 17171, 27171, 37171, 47171, 57171.',
    place: 'port',
  },
  listen: {
    schema: z.array(listenEntry).max(16).default([]),
    meaning:
      'Further listeners, each an entry `[[listen]]` with `host`, `port`, `services` (of `signing`, `authorization`, `registry`, `assistant`, `window`), `tls.certificate` and `tls.key`, or `behind_proxy` and `trusted_proxies`. `socket` (with `socket_group`) takes the place of `host` and `port`, with `behind_proxy`. See the guide for operators.',
  },
  public_url: {
    schema: publicUrl.optional(),
    meaning: 'The https origin by which other computers reach this instance, as `https://sign.example`.',
  },
  approve: {
    schema: z.enum(['ask', 'listed', 'all']).default('ask'),
    meaning:
      'How transactions are approved: `ask` asks the person, `listed` approves the callers of `approved`, `all` approves everything.',
    place: 'approve',
  },
  approved: {
    schema: z.array(callerName).default([]),
    meaning: 'Client ids of applications and origins of sites, for `approve = "listed"`.',
    place: 'approved',
  },
  'approval.one_time_password': {
    schema: z.boolean().default(true),
    meaning: 'Whether a one-time password that comes with a request approves its transaction.',
    place: 'approval.oneTimePassword',
  },
  'approval.session': {
    schema: z.number().min(0).max(86_400).default(300),
    meaning: 'Seconds that a session of a one-time password approves; 0: never.',
    place: 'approval.session',
  },
  'approval.timeout': {
    schema: seconds(86_400),
    meaning: 'Seconds that a transaction waits for its approval.',
    place: 'approval.timeout',
  },
  'evidence.timeout': {
    schema: seconds(86_400),
    meaning: 'Seconds that a document with `evidence` `wait` waits for revocation data newer than its signature.',
    place: 'evidence.timeout',
  },
  'renewal.mode': {
    schema: z.enum(['automatic', 'list', 'off']).default('automatic'),
    meaning:
      'What happens to signed files of History and of chosen folders before their protection ends: `automatic` renews them, `list` tells, `off` does not look.',
    place: 'renewal.mode',
  },
  'renewal.within': {
    schema: seconds(90 * 86_400),
    meaning: 'Seconds before the end of protection from which a file is renewed.',
    place: 'renewal.within',
  },
  'stamp.check_page': {
    schema: serviceUrl.optional(),
    meaning:
      'The page on which anybody can check a signature: stamps name it, and the code on a stamp opens it. Default: `https://validar.iti.gov.br`, for certificates of ICP-Brasil.',
    place: 'stampCheckPage',
  },
  metrics: {
    schema: z.boolean().default(false),
    meaning: 'Whether `GET /metrics` answers, in Prometheus format.',
    place: 'metrics',
  },
  'tracing.endpoint': {
    schema: z
      .url({ protocol: /^https?$/ })
      .regex(/^[^@?#]+$/, 'must have no user name, no query and no fragment: name a file in tracing.headers_file')
      .optional(),
    meaning:
      'The address of a collector that receives OpenTelemetry traces by OTLP over HTTP, as `http://127.0.0.1:4318`; without a path, `/v1/traces` is added. Default: no traces. See the guide for operators.',
  },
  'tracing.headers_file': {
    schema: absolutePath.optional(),
    meaning: 'A file with headers for the collector (`Authorization: Bearer …`), readable by its owner only.',
  },
  'tracing.sample': {
    schema: z.number().min(0).max(1).default(1),
    meaning: 'The share of the requests that are traced, from 0 to 1.',
  },
  'tracing.service': {
    schema: shortName.optional(),
    meaning: 'The `service.name` of the traces. Default: the variable `OTEL_SERVICE_NAME`, or `sinete`.',
  },
  'tracing.node': {
    schema: shortName.optional(),
    meaning: 'The `service.instance.id` of the traces, to tell nodes apart. Default: a random one for each start.',
  },
  'tracing.callers': {
    schema: z.enum(['loopback', 'all', 'none']).default('loopback'),
    meaning: 'Callers whose `traceparent` header is continued: those on this computer (`loopback`), `all`, or `none`.',
  },
  shutdown_timeout: {
    schema: seconds(30),
    meaning:
      'Seconds that signatures and transfers may still take after the request to stop; what is left goes on at the next start.',
    place: 'shutdownTimeout',
  },
  'log.level': {
    schema: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
    meaning: 'What `sinete.log` tells.',
    place: 'logLevel',
  },
} as const satisfies Readonly<Record<string, KeyRow>>;
