/**
 * A 32-bit hash (FNV-1a) of the content bytes of a serial number between two offsets. Leading zeros do not count,
 * because some authorities pad a number in one place only.
 */
export function hashSerialNumber(octets: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5;
  let offset = start;
  while (offset < end - 1 && octets[offset] === 0) offset++;
  for (; offset < end; offset++) hash = Math.imul(hash ^ (octets[offset] ?? 0), 0x01000193);
  return hash >>> 0;
}

/** The serial number's octets without zeros in front. */
export function trimSerialNumber(serialNumber: Buffer): Buffer {
  let start = 0;
  while (start < serialNumber.length - 1 && serialNumber[start] === 0) start++;
  return serialNumber.subarray(start);
}
