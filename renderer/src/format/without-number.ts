/** A common name of ICP-Brasil without the taxpayer number behind it: `MARIA DA SILVA:52998224725` → `MARIA DA SILVA`. */
export function withoutNumber(commonName: string): string {
  return commonName.replace(/:[A-Z0-9]{11,14}$/i, '');
}
