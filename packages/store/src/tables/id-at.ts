import { ID_PREFIXES } from "@yagate/protocol";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const MAX_MS = 2 ** 48 - 1;

/** The lowest id of an execution that can be minted at a moment: ids begin with the time, in base32 of 5 bits a digit. */
export function idAt(ms: number): string {
  let value = BigInt(Math.min(Math.max(Math.trunc(ms), 0), MAX_MS)) << 80n;
  let digits = "";
  for (let index = 0; index < 26; index += 1) {
    digits = `${ALPHABET[Number(value & 31n)]}${digits}`;
    value >>= 5n;
  }
  return `${ID_PREFIXES.execution}_${digits}`;
}
