import type { Configuration } from './config.ts';

/** The ports tried by clients, in this order. */
export const usualPorts: readonly number[] = [17_171, 27_171, 37_171, 47_171, 57_171];

/**
 * The ports to try, in order. A port of the configuration is the only one; before a port that a person kept in the
 * window, another program may come, so the usual ports follow.
 */
export function portsToTry({ port, fixedKeys }: Pick<Configuration, 'port' | 'fixedKeys'>): readonly number[] {
  if (port === undefined) return usualPorts;
  return fixedKeys.includes('port') ? [port] : [port, ...usualPorts.filter((one) => one !== port)];
}
