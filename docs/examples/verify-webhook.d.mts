export function verifyWebhook(
  headers: Readonly<Record<string, string | undefined>>,
  rawBody: string,
  secret: string,
  now?: number,
): unknown;
