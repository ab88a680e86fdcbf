/**
 * Returns true unless `NODE_ENV` is `production`. A runtime without `process` counts as an edge runtime in production,
 * so the result is false.
 */
export function isDevelopmentProcess(): boolean {
  const environment = globalThis.process?.env;
  return environment !== undefined && environment["NODE_ENV"] !== "production";
}
