import type { Configuration } from './config.ts';

/** The ports tried by clients, in this order. */
export const usualPorts: readonly number[] = [17_171, 27_171, 37_171, 47_171, 57_171];

/**
 * The ports to try, in order. A port of the configuration or the command line is the only one. A port kept in the
 * window may be taken by another program, so the usual ports follow.
 */
export function portsToTry({ port, keptPort }: Pick<Configuration, 'port' | 'keptPort'>): readonly number[] {
  if (port !== undefined) return [port];
  return keptPort === undefined ? usualPorts : [keptPort, ...usualPorts.filter((one) => one !== keptPort)];
}
