import { isIP } from "node:net";
import { YagateError } from "@yagate/protocol";
import type { Subnet } from "./address-tables.ts";

/**
 * Parses a CIDR such as `10.0.0.0/8` or `fd00::/8`. A single address becomes a network with one address.
 *
 * @param field - the name of the setting, for the message.
 * @throws YagateError `INVALID_REQUEST` if the text is neither.
 */
export function parseCidr(text: string, field: string): Subnet {
  const [network = "", length, ...rest] = text.split("/");
  const family = network.includes("%") ? 0 : isIP(network);
  const bits = family === 4 ? 32 : 128;
  const prefixLength = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : -1;
  if (family === 0 || rest.length > 0 || prefixLength < 0 || prefixLength > bits) {
    throw new YagateError("INVALID_REQUEST", `${field} must be an address or a CIDR such as 10.0.0.0/8 or fd00::/8`);
  }
  return [network, prefixLength];
}
