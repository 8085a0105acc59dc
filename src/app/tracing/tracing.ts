import type { ServiceLog, Tracer } from '../../service/monitoring/index.ts';

/** The traces of an instance. */
export interface Tracing {
  readonly tracer: Tracer;
  /** From now on, a receiver that fails is told in the log. */
  reportTo(log: Pick<ServiceLog, 'warn' | 'info'>): void;
  /**
   * Sends the remaining spans, for at most these milliseconds; what is left is lost. Later spans go nowhere. Never
   * rejects. May be called again.
   */
  close(patience?: number): Promise<void>;
}
