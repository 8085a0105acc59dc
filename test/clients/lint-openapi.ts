/** The linters of the OpenAPI document. As a program: Redocly, a step of `npm run check`. */
import { buildOpenApi } from '../../src/http/openapi.ts';
import { asVersion30 } from '../../src/http/openapi/version-3-0.ts';
import { installSuite } from '../setup/install-suite.ts';

/** The document at `/openapi.json`. */
export const openApiText = (): string => JSON.stringify(buildOpenApi('0.0.0'), null, 1);

/** The document at `/openapi-3.0.json`. */
export const olderOpenApiText = (): string => JSON.stringify(asVersion30(buildOpenApi('0.0.0')), null, 1);

/** Findings of Redocly's recommended rules, errors and warnings, a line each. */
export async function lintWithRedocly(source: string): Promise<readonly string[]> {
  const { createConfig, lintFromString } = await import('@redocly/openapi-core');
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
  return problems.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  );
}

/** Findings of Spectral's rules for OpenAPI, a line each. */
export async function lintWithSpectral(source: string): Promise<readonly string[]> {
  const { Spectral } = await import('@stoplight/spectral-core');
  const { oas } = await import('@stoplight/spectral-rulesets');
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [oas] });
  const problems = await spectral.run(JSON.parse(source));
  return problems.map(({ severity, code, message, path }) => `${severity} ${code}: ${message} (${path.join('/')})`);
}

if (import.meta.main) {
  installSuite('test/clients');
  const found = [...(await lintWithRedocly(openApiText())), ...(await lintWithRedocly(olderOpenApiText()))];
  for (const line of found) console.log(line);
  if (found.length > 0) process.exitCode = 1;
}
