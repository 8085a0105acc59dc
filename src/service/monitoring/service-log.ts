/** The service's log for an operator. No secret, no whole TCN, no personal data. */
export interface ServiceLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** A TCN for logs: enough to tell transactions apart, too little to use. */
export function shortTcn(tcn: string): string {
  return `${tcn.slice(0, 6)}…`;
}
