import { randomInt, timingSafeEqual } from "node:crypto";

/** Letters and digits that people do not confuse. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const GROUP = 4;

/** Creates the code that connects a browser with the terminal in which the sign-in began, such as `K7QM-2XWP`. */
export function newSignInCode(): string {
  const group = () => Array.from({ length: GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return `${group()}-${group()}`;
}

/** Compares a code with what a person typed. The duration does not depend on where they differ. */
export function isSameCode(code: string, typed: string): boolean {
  const [expected, actual] = [plain(code), plain(typed)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function plain(code: string): Buffer {
  return Buffer.from(code.replaceAll(/[\s-]/g, "").toUpperCase());
}
