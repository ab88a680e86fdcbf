import { isIP } from "node:net";

/**
 * Returns the family of an IP address, 4 or 6. Returns 0 for any other text, including an IPv6 address with a zone:
 * BlockList reports such texts as "not listed", which must never count as "allowed".
 */
export function strictFamily(address: string): 0 | 4 | 6 {
  const family = isIP(address);
  return (family === 4 || family === 6) && !address.includes("%") ? family : 0;
}
