import { isIPv4, isIPv6 } from "node:net";
import { isHostname, isIdnHostname } from "./host-formats.ts";

const ATOM = /^[\w!#$%&'*+\-/=?^`{|}~]+(?:\.[\w!#$%&'*+\-/=?^`{|}~]+)*$/;
const IDN_ATOM = /^[\w!#$%&'*+\-/=?^`{|}~\u{80}-\u{10ffff}]+(?:\.[\w!#$%&'*+\-/=?^`{|}~\u{80}-\u{10ffff}]+)*$/u;
const QUOTED = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;
const IDN_QUOTED = /^"(?:[ !#-[\]-~\u{80}-\u{10ffff}]|\\[ -~])*"$/u;

/** Checks an email address: `Mailbox` in RFC 5321. */
export function isEmail(text: string): boolean {
  const [local, domain] = splitAddress(text);
  return (ATOM.test(local) || QUOTED.test(local)) && (isHostname(domain) || isAddressLiteral(domain));
}

/** Checks an internationalised email address: `Mailbox` in RFC 6531. */
export function isIdnEmail(text: string): boolean {
  const [local, domain] = splitAddress(text);
  return (IDN_ATOM.test(local) || IDN_QUOTED.test(local)) && (isIdnHostname(domain) || isAddressLiteral(domain));
}

/** Splits an address at its last `@`, because a quoted local part may contain further ones. */
function splitAddress(text: string): readonly [string, string] {
  const at = text.lastIndexOf("@");
  return at === -1 ? ["", ""] : [text.slice(0, at), text.slice(at + 1)];
}

function isAddressLiteral(domain: string): boolean {
  const address = /^\[(.*)\]$/.exec(domain)?.[1] ?? "";
  if (/^ipv6:/i.test(address)) return isIPv6(address.slice(5)) && !address.includes("%");
  return isIPv4(address);
}
