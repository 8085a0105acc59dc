import type { Space } from '../space/index.ts';
import type { SystemReader } from './read-system.ts';

/** Sizes as text with their unit, `23.5 GB`; `unknown` where the system does not tell. */
export interface SpaceText {
  readonly total: string;
  readonly used: string;
  readonly available: string;
}

/** The computer's description in the full health check. */
export interface SystemDescription {
  readonly memory: SpaceText;
  readonly swap: SpaceText;
  /** `12.5%`. */
  readonly processorUse: string;
  readonly processorCount: number;
  readonly runningProcesses: string;
  readonly loadAverage: string;
  /** By path. */
  readonly diskTotal: Readonly<Record<string, string>>;
  readonly diskFree: Readonly<Record<string, string>>;
}

const UNKNOWN = 'unknown';

/** Describes the present computer; `paths` choose the disks. */
export async function describeSystem(system: SystemReader, paths: readonly string[]): Promise<SystemDescription> {
  const [memory, swap, use, processes, loadAverage, disks] = await Promise.all([
    system.memory(),
    system.swap(),
    system.processorUse(),
    system.processCount(),
    system.loadAverage(),
    Promise.all(paths.map(async (path) => [path, await system.diskSpace(path)] as const)),
  ]);
  return {
    memory: describeSpace(memory),
    swap: swap === undefined ? { total: UNKNOWN, used: UNKNOWN, available: UNKNOWN } : describeSpace(swap),
    processorUse: `${(use * 100).toFixed(1)}%`,
    processorCount: system.processorCount(),
    runningProcesses: processes === undefined ? UNKNOWN : String(processes),
    loadAverage: loadAverage ?? UNKNOWN,
    diskTotal: Object.fromEntries(disks.map(([path, { total }]) => [path, formatSize(total)])),
    diskFree: Object.fromEntries(disks.map(([path, { free }]) => [path, formatSize(free)])),
  };
}

function describeSpace({ total, free }: Space): SpaceText {
  return { total: formatSize(total), used: formatSize(total - free), available: formatSize(free) };
}

/** `23.5 GB`, `512.0 MB`: decimal units, one digit after the point. */
export function formatSize(bytes: number): string {
  const [unit, size] = bytes >= 1e9 ? (['GB', 1e9] as const) : (['MB', 1e6] as const);
  return `${(bytes / size).toFixed(1)} ${unit}`;
}
