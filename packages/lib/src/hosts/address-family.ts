import { isIP } from "node:net";

/**
 * The family of an IP address: 4 or 6, and 0 for every other text, an IPv6 address with a zone included. BlockList reports
 * such a text as "not listed", which must never be read as "not refused".
 */
export function strictFamily(address: string): 0 | 4 | 6 {
  const family = isIP(address);
  return (family === 4 || family === 6) && !address.includes("%") ? family : 0;
}
