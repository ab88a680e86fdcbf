/** Whether `NODE_ENV` is anything but `production`. A runtime without `process` is an edge runtime in production. */
export function isDevelopmentProcess(): boolean {
  const environment = globalThis.process?.env;
  return environment !== undefined && environment["NODE_ENV"] !== "production";
}
