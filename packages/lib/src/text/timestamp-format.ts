/**
 * Creates a function that formats a time in ms since the epoch like `Date.toISOString`. It keeps the text of the last
 * second, because most calls of a second share it and formatting a date takes much longer.
 */
export function createTimestampFormat(): (at: number) => string {
  let second = Number.NaN;
  let textOfSecond = "";
  return (at) => {
    const ms = at - second;
    if (ms >= 0 && ms < 1_000 && Number.isInteger(at)) return `${textOfSecond}${String(ms).padStart(3, "0")}Z`;
    const text = new Date(at).toISOString();
    // A date drops the fraction of a millisecond, also before 1970, where that is the way to the next second.
    second = Math.floor(Math.trunc(at) / 1_000) * 1_000;
    textOfSecond = text.slice(0, -4);
    return text;
  };
}
