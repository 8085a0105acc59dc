import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import { json, problems } from '../openapi-problems.ts';
import { dashboardBody, healthBody, lifeBody } from './schemas.ts';

/** The paths of counters, metrics and health. */
export function monitoringPaths(): ZodOpenApiPathsObject {
  return {
    '/dashboard': {
      get: {
        operationId: 'readDashboard',
        tags: ['Monitoring'],
        summary: 'Count documents by status',
        responses: { 200: { description: 'The counters.', content: json(dashboardBody) }, ...problems() },
      },
    },
    '/metrics': {
      get: {
        operationId: 'readMetrics',
        tags: ['Monitoring'],
        summary: 'Metrics for Prometheus, if the configuration enables them',
        responses: {
          200: {
            description: 'The metrics, in the text format of Prometheus.',
            content: { 'text/plain': { schema: z.string() } },
          },
          ...problems('ADDRESS_NOT_FOUND'),
        },
      },
    },
    '/health-check': {
      get: {
        operationId: 'checkHealth',
        tags: ['Monitoring'],
        summary: 'Check this instance now',
        requestParams: { query: z.object({ full: z.boolean().optional() }) },
        responses: {
          200: { description: 'Everything is well.', content: json(healthBody) },
          ...problems('REQUEST_INVALID'),
          503: { description: 'Something is wrong; messages tell what.', content: json(healthBody) },
        },
      },
    },
    ...lifePaths(),
  };
}

/** The questions of a supervisor and of a load balancer. */
function lifePaths(): ZodOpenApiPathsObject {
  return {
    '/live': {
      get: {
        operationId: 'checkLiveness',
        tags: ['Monitoring'],
        summary: 'Tell that this process answers',
        responses: {
          200: { description: 'It answers.', content: json(z.object({ status: z.literal('LIVE') })) },
          ...problems(),
        },
      },
    },
    '/ready': {
      get: {
        operationId: 'checkReadiness',
        tags: ['Monitoring'],
        summary: 'Tell whether this instance takes new work',
        responses: {
          200: { description: 'New work is taken.', content: json(lifeBody) },
          ...problems(),
          503: { description: 'New work is not taken now; status tells why.', content: json(lifeBody) },
        },
      },
    },
  };
}
