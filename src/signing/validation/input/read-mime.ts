/** Finds signatures inside S/MIME messages (RFC 8551 §3.5, §3.2), and extracts each signature with its content. */

/** The signed parts of a message. */
export interface MimeSignature {
  /** DER or BER of the signature. */
  readonly signature: Buffer;
  /** Of a clear-signed message: the content unchanged, and the content with S/MIME's line ends (CRLF). */
  readonly contents: readonly Buffer[];
}

const MAX_HEADER = 64 * 1024;
const BASE64 = /^[A-Za-z0-9+/=\s]+$/;

interface Entity {
  /** Lower-case names, unfolded values. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Headers and body of an entity; undefined when the text does not begin with headers (RFC 5322 §2.2). */
function readEntity(bytes: Buffer): Entity | undefined {
  const text = bytes.subarray(0, MAX_HEADER).toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  if (end === null) return undefined;
  const headers = new Map<string, string>();
  for (const line of text
    .slice(0, end.index)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon < 1) return undefined;
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body: bytes.subarray(end.index + end[0].length) };
}

function parameter(contentType: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(contentType);
  return match?.[1] ?? match?.[2];
}

function decodeBody({ headers, body }: Entity): Buffer {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  const text = body.toString('latin1');
  return encoding === 'base64' || (encoding === undefined && BASE64.test(text)) ? Buffer.from(text, 'base64') : body;
}

/** The parts between the boundary lines; the end of line before a boundary belongs to the boundary (RFC 2046 §5.1.1). */
function splitParts(body: Buffer, boundary: string): readonly Buffer[] {
  const marker = Buffer.from(`--${boundary}`, 'latin1');
  const parts: Buffer[] = [];
  let start: number | undefined;
  for (let at = body.indexOf(marker); at >= 0; at = body.indexOf(marker, at + marker.length)) {
    if (at > 0 && body[at - 1] !== 0x0a) continue;
    if (start !== undefined) {
      const end = body[at - 2] === 0x0d ? at - 2 : at - 1;
      parts.push(body.subarray(start, Math.max(start, end)));
    }
    const lineEnd = body.indexOf(0x0a, at);
    if (lineEnd < 0 || parts.length > 2) break;
    start = lineEnd + 1;
  }
  return parts;
}

const withLineEnds = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');

/** The signature in an S/MIME message; undefined for anything else. */
export function readMimeSignature(bytes: Buffer): MimeSignature | undefined {
  const entity = readEntity(bytes);
  const type = entity?.headers.get('content-type') ?? '';
  if (entity === undefined) return undefined;
  if (/^application\/(x-)?pkcs7-(mime|signature)\b/i.test(type)) {
    return { signature: decodeBody(entity), contents: [] };
  }
  const boundary = parameter(type, 'boundary');
  if (!/^multipart\/signed\b/i.test(type) || boundary === undefined) return undefined;
  const [content, signaturePart] = splitParts(entity.body, boundary);
  const signature = signaturePart && readEntity(signaturePart);
  if (content === undefined || signature === undefined) return undefined;
  const canonical = withLineEnds(content);
  return {
    signature: decodeBody(signature),
    contents: canonical.equals(content) ? [content] : [canonical, content],
  };
}
