import type { Evidence } from './evidence.ts';

type Timestamper = Awaited<ReturnType<Evidence['timestamper']>>;
type Stamp = Awaited<ReturnType<Timestamper['stamp']>>;

/** Evidence services whose time stamps run inside `around`, which gets the id of the server, or `default`. */
export function aroundStamps(
  evidence: Evidence,
  around: (server: string, stamp: () => Promise<Stamp>) => Promise<Stamp>,
): Evidence {
  return {
    ...evidence,
    async timestamper(request) {
      const timestamper = await evidence.timestamper(request);
      const server = request.server ?? 'default';
      const stamp: Timestamper['stamp'] = async (...input) => around(server, async () => timestamper.stamp(...input));
      return new Proxy(timestamper, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          return name === 'stamp' ? stamp : (value.bind(target) as unknown);
        },
      });
    },
  };
}
