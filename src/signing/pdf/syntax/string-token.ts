/** String tokens (ISO 32000-2 §7.3.4): literal `(…)` and hexadecimal `<…>`. */

const ESCAPES = new Map<number, number>([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
]);

const isOctal = (octet: number | undefined): octet is number => octet !== undefined && octet >= 0x30 && octet <= 0x37;

function decodeHexadecimal(token: Buffer): Buffer {
  // Node stops at the first byte other than a digit: a complete result means that there was nothing to skip.
  const plain = Buffer.from(token.toString('latin1', 1, token.length - 1), 'hex');
  if (plain.length * 2 === token.length - 2) return plain;
  const digits = token.toString('latin1').replace(/[^0-9a-fA-F]/g, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
}

/** Reads the escape sequence with its backslash at `index`; `octet` is absent for a line continuation. */
function readEscape(token: Buffer, index: number, end: number): { octet?: number; next: number } {
  const escaped = index + 1 < end ? token[index + 1] : undefined;
  if (escaped === undefined) return { next: end };
  if (isOctal(escaped)) {
    let value = 0;
    let next = index + 1;
    for (let digit = token[next]; next < index + 4 && next < end && isOctal(digit); digit = token[next]) {
      value = value * 8 + digit - 0x30;
      next += 1;
    }
    return { octet: value & 0xff, next };
  }
  if (escaped === 0x0a) return { next: index + 2 };
  if (escaped === 0x0d) return { next: token[index + 2] === 0x0a ? index + 3 : index + 2 };
  return { octet: ESCAPES.get(escaped) ?? escaped, next: index + 2 };
}

function decodeLiteral(token: Buffer): Buffer {
  const end = token.length - 1;
  const output = Buffer.allocUnsafe(token.length);
  let length = 0;
  for (let index = 1; index < end;) {
    const octet = token[index] ?? 0;
    if (octet === 0x5c) {
      const escape = readEscape(token, index, end);
      if (escape.octet !== undefined) output[length++] = escape.octet;
      index = escape.next;
    } else if (octet === 0x0d) {
      output[length++] = 0x0a;
      index += token[index + 1] === 0x0a ? 2 : 1;
    } else {
      output[length++] = octet;
      index += 1;
    }
  }
  return output.subarray(0, length);
}

/** The bytes of a string token. */
export function decodeStringToken(token: Buffer): Buffer {
  return token[0] === 0x3c ? decodeHexadecimal(token) : decodeLiteral(token);
}

/** A literal string token. Line ends are escaped, because readers may change bare line ends. */
export function encodeLiteralToken(octets: Uint8Array): Buffer {
  const token: number[] = [0x28];
  for (const octet of octets) {
    if (octet === 0x0d) token.push(0x5c, 0x72);
    else if (octet === 0x0a) token.push(0x5c, 0x6e);
    else if (octet === 0x28 || octet === 0x29 || octet === 0x5c) token.push(0x5c, octet);
    else token.push(octet);
  }
  token.push(0x29);
  return Buffer.from(token);
}

/** A hexadecimal string token. */
export function encodeHexadecimalToken(octets: Uint8Array): Buffer {
  return Buffer.from(`<${Buffer.from(octets).toString('hex')}>`, 'latin1');
}
