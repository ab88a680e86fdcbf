/** Returns the text that is shown instead of a secret: `***NAME***`. */
export function maskOf(name: string): string {
  return `***${name}***`;
}
