/** `2 GiB`, `10 MiB`, `512 octets`: a limit in the words of the refusal. */
export function describeSize(octets: number): string {
  const units = ['GiB', 'MiB', 'KiB'] as const;
  for (const [index, unit] of units.entries()) {
    const size = 1024 ** (units.length - index);
    if (octets >= size) return `${Math.round((octets / size) * 10) / 10} ${unit}`;
  }
  return `${octets} octets`;
}
