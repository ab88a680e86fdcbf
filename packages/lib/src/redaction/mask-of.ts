/** The text shown in place of a secret: `***NAME***`. */
export function maskOf(name: string): string {
  return `***${name}***`;
}
