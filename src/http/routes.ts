import { assistantOperations, type AssistantParts } from './assistant/operations.ts';
import { bridgeOperations } from './bridge/operations.ts';
import type { BridgeParts } from './bridge/page.ts';
import { certificateOperation, type CertificateInformationParts } from './authorization/certificate-info.ts';
import { authorizationOperations, type AuthorizationParts } from './authorization/operations.ts';
import type { Operation } from './operation.ts';
import { instanceOperations, pageOperations, type PageParts } from './pages/operations.ts';
import { pscOperations } from './psc/operations.ts';
import { registryOperations, type RegistryParts } from './registry/operations.ts';
import { monitoringOperations, type MonitoringParts } from './signing-service/monitoring-operations.ts';
import { signingOperations, type SigningParts } from './signing-service/operations.ts';
import { validateSignatures, type ValidatorParts } from './signing-service/validator-service.ts';
import { windowOperations, type WindowParts } from './ui/operations.ts';
import { webhookOperations, type WebhookParts } from './webhooks/operations.ts';

/** The services that the handlers of all operations use. */
export type RouteParts = SigningParts &
  MonitoringParts &
  PageParts &
  ValidatorParts &
  AuthorizationParts &
  RegistryParts &
  CertificateInformationParts &
  AssistantParts &
  WebhookParts &
  BridgeParts &
  WindowParts;

/** A row of the table of routes. */
export type Route = Operation<RouteParts>;

/**
 * The operations of the OpenAPI document, in its order. A door for another protocol has a folder of its own; where it
 * also has a document of its own, its operations are not in this list but in `routes` alone.
 */
export const documentedOperations: readonly Route[] = [
  ...signingOperations,
  ...monitoringOperations,
  ...instanceOperations,
  validateSignatures,
  ...authorizationOperations,
  ...pscOperations,
  ...registryOperations,
  certificateOperation,
  ...assistantOperations,
  ...webhookOperations,
];

/**
 * Every operation of this server; nothing else is registered. A fixed path comes before a path with a parameter that
 * would match it too.
 */
export const routes: readonly Route[] = [
  ...documentedOperations,
  ...pageOperations,
  ...bridgeOperations,
  ...windowOperations,
];

/** The shape of a path: paths that differ only in the names of their parameters have the same shape. */
function shapeOf(path: string): string {
  return path.replaceAll(/[:*][a-zA-Z]+/g, ':');
}

/** The routes of one address, which differ in their methods. */
export type SameAddress = readonly [Route, ...Route[]];

/** Each form of an address by its shape: a path of it, and its routes, whose methods are all that it allows. */
export const addresses: ReadonlyMap<string, readonly [path: string, routes: SameAddress]> = routesByShape();

function routesByShape(): Map<string, readonly [path: string, routes: SameAddress]> {
  const byShape = new Map<string, readonly [path: string, routes: SameAddress]>();
  for (const route of routes) {
    for (const path of route.paths) {
      const shape = shapeOf(path);
      const [first, known] = byShape.get(shape) ?? [path, undefined];
      byShape.set(shape, [first, known === undefined ? [route] : [...known, route]]);
    }
  }
  return byShape;
}
