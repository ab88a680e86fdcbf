/** What stands for an absent value; zero is 0. */
export const NONE = "–";

const counts = new Intl.NumberFormat("en");

/** `1,284`, `9.41 M`. */
export function formatCount(count: number): string {
  return count < 1_000_000 ? counts.format(count) : `${(count / 1_000_000).toFixed(2)} M`;
}

/** `1 secret`, `1,284 secrets`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `834 ms`, `2.00 s`, `48.1 s`, `1 min 32 s`, `1 h 52 min`, `6 d 23 h`: at most two units. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 9_995) return `${(ms / 1_000).toFixed(2)} s`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return twoUnits(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1_440) return twoUnits(Math.floor(minutes / 60), "h", minutes % 60, "min");
  const hours = Math.round(ms / 3_600_000);
  return twoUnits(Math.floor(hours / 24), "d", hours % 24, "h");
}

function twoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** `$0.0312` below a dollar, `$12.40` above. */
export function formatCost(usd: number): string {
  if (usd === 0) return "$0";
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

/** A limit of the cost: `$0.50`, without more decimals than it has. */
export function formatCostLimit(usd: number): string {
  return formatCost(usd).replace(/(\.\d\d\d*?)0+$/, "$1");
}

/** `214 B`, `64.0 KiB`, `1.50 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_048_576) return `${(bytes / 1_024).toFixed(1)} KiB`;
  if (bytes < 1_073_741_824) return `${(bytes / 1_048_576).toFixed(2)} MiB`;
  return `${(bytes / 1_073_741_824).toFixed(2)} GiB`;
}

/** `exec_01m7yp…3hq69`: the prefix, six characters, and the last five. */
export function shortId(id: string): string {
  const at = id.indexOf("_") + 1;
  return id.length - at <= 14 ? id : `${id.slice(0, at + 6)}…${id.slice(-5)}`;
}
