import { noTracing } from '../../service/monitoring/index.ts';
import type { FindProxy } from '../../network/index.ts';
import type { Configuration } from '../config/config.ts';
import type { Tracing } from './tracing.ts';

const off: Tracing = {
  tracer: noTracing,
  reportTo: () => undefined,
  close: async () => Promise.resolve(),
};

/**
 * Opens the traces of the configuration. Without `tracing.endpoint` nothing of OpenTelemetry is loaded. Rejects with
 * `AppError` for a wrong file of headers.
 */
export async function openTracing(
  { tracing, network }: Pick<Configuration, 'tracing' | 'network'>,
  findProxy?: FindProxy,
): Promise<Tracing> {
  if (tracing === undefined) return off;
  const [{ OpenTelemetry }, { openReceiver }] = await Promise.all([
    import('./open-telemetry.ts'),
    import('./open-receiver.ts'),
  ]);
  return new OpenTelemetry(tracing, await openReceiver(tracing, network, findProxy));
}
