const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Checks, by its text alone, whether a host is this machine.
 *
 * @param hostname - as in `URL.hostname`: lower case, IPv6 in brackets.
 */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}
