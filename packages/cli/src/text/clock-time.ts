/** Returns the local time of day of a moment in ISO 8601, `hh:mm:ss`. */
export function clockTime(at: string): string {
  return new Date(at).toTimeString().slice(0, 8);
}
