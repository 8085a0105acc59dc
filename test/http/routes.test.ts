import { describe, expect, it } from 'vitest';
import { routes, type Route } from '../../src/http/routes.ts';

/** The table of all operations: the effects of their order, and the operations open to everybody. */

/** A path as an expression: a parameter is a part, a wildcard the rest, an optional group may be empty. */
function expressionOf(path: string): RegExp {
  const source = path.replaceAll('.', '\\.').replaceAll(/\{:\w+\}|:\w+|\*\w+/g, (found) => {
    if (found.startsWith('*')) return '.+';
    return found.startsWith('{') ? '[^/]*' : '[^/]+';
  });
  return new RegExp(`^${source}/?$`, 'i');
}

/** Fixed paths hidden by an earlier route, each with this route. */
function hiddenPaths(table: readonly Pick<Route, 'id' | 'method' | 'paths'>[]): readonly string[] {
  return table.flatMap((route, at) =>
    route.paths
      .filter((path) => !/[:*]/.test(path))
      .flatMap((path) =>
        table
          .slice(0, at)
          .filter(({ method, paths }) => method === route.method && paths.some((one) => expressionOf(one).test(path)))
          .map(({ id }) => `${path}: ${id} takes it before ${route.id}`),
      ),
  );
}

describe('the table of routes', () => {
  it('has each fixed path before a path with a matching parameter', () => {
    expect(hiddenPaths(routes)).toEqual([]);
    const turned = routes.toReversed();
    expect(hiddenPaths(turned)).toContain(
      '/signature-service/events: queryTransaction takes it before streamOwnTransactions',
    );
    expect(hiddenPaths(turned)).toContain('/docs/guide: readDocsAsset takes it before showGuide');
  });

  it('has each path once for each method, under any names of its parameters', () => {
    const shapes = routes.flatMap(({ method, paths }) =>
      paths.map((path) => `${method} ${path.replaceAll(/\{:\w+\}|:\w+/g, '*')}`),
    );
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  /** A second look at operations without any credentials: an operation comes into this list with a reason. */
  it('describes credentials where callers on other computers need some', () => {
    const silent = routes
      .filter(({ access, describe: tell }) => access.remote === 'credentials' && tell !== undefined)
      .filter((route) => [route.describe?.() ?? []].flat().some(({ credentials }) => credentials === undefined));
    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  it('asks callers on other computers for nothing only where a TCN is the key, or nothing about anybody is told', () => {
    const open = routes.filter(({ access }) => access.remote === 'open');
    const byTcn = ['readStatuses', 'streamTransaction', 'queryTransaction', 'uploadDocuments', 'downloadDocument'];
    const probes = ['checkHealth', 'checkLiveness', 'checkReadiness'];
    const ofClouds = ['signPscHashes', 'discoverPscCertificates', 'discoverPscPerson'];
    const checkingTheirOwn = [
      'issueToken',
      'revokeToken',
      'pushRequest',
      'introspectToken',
      'openUiSession',
      ...ofClouds,
    ];
    const pagesOfAPerson = ['showAuthorization', 'answerAuthorization', 'awaitAuthorization'];
    const aboutTheProduct = [
      'discover',
      'describeServer',
      'validateSignatures',
      'readOpenApi',
      'readClient',
      'readHelp',
      'showHome',
    ];
    const pages = ['showDocs', 'showGuide', 'showProblem', 'readDocsAsset', 'showUi', 'readUiAsset'];
    const bridge = ['showBridge', 'endBridge', 'readBridgeScript'];
    const known = [
      ...byTcn,
      ...probes,
      ...checkingTheirOwn,
      ...pagesOfAPerson,
      ...aboutTheProduct,
      ...pages,
      ...bridge,
    ];
    expect(open.map(({ id }) => id).toSorted()).toEqual(known.toSorted());
  });

  it('counts the costly requests of strangers', () => {
    expect(routes.filter(({ access }) => access.isCounted).map(({ id }) => id)).toEqual(['validateSignatures']);
  });
});
