/**
 * A second opinion on addresses: arithmetic on whole numbers, with ranges written down by hand. It shares no code and
 * no table with the classifier that it is compared to.
 */
type Range = readonly [first: bigint, last: bigint];

const REFUSED_IPV4: readonly Range[] = (
  [
    ["0.0.0.0", "0.255.255.255"],
    ["10.0.0.0", "10.255.255.255"],
    ["100.64.0.0", "100.127.255.255"],
    ["127.0.0.0", "127.255.255.255"],
    ["168.63.129.16", "168.63.129.16"],
    ["169.254.0.0", "169.254.255.255"],
    ["172.16.0.0", "172.31.255.255"],
    ["192.0.0.0", "192.0.0.255"],
    ["192.0.2.0", "192.0.2.255"],
    ["192.31.196.0", "192.31.196.255"],
    ["192.52.193.0", "192.52.193.255"],
    ["192.88.99.0", "192.88.99.255"],
    ["192.168.0.0", "192.168.255.255"],
    ["192.175.48.0", "192.175.48.255"],
    ["198.18.0.0", "198.19.255.255"],
    ["198.51.100.0", "198.51.100.255"],
    ["203.0.113.0", "203.0.113.255"],
    ["224.0.0.0", "255.255.255.255"],
  ] as const
).map(([first, last]): Range => [ipv4ToNumber(first), ipv4ToNumber(last)]);

const REFUSED_IPV6: readonly Range[] = [
  [0x2001_0000n << 96n, (0x2001_0200n << 96n) - 1n],
  [0x2001_0db8n << 96n, (0x2001_0db9n << 96n) - 1n],
  [0x2002n << 112n, (0x2003n << 112n) - 1n],
  [0x2620_004f_8000n << 80n, (0x2620_004f_8001n << 80n) - 1n],
  [0x3fff_0n << 108n, (0x3fff_1n << 108n) - 1n],
];

/** First and last address of every range: where an off-by-one would show. */
export const IPV4_EDGES: readonly bigint[] = REFUSED_IPV4.flat();
export const IPV6_EDGES: readonly bigint[] = [...REFUSED_IPV6.flat(), 0x2000n << 112n, (0x4000n << 112n) - 1n];

/** Whether anyone on the internet could have the address. */
export function isPublicByArithmetic(address: string): boolean {
  if (address.includes(":")) {
    const value = ipv6ToNumber(address);
    return value >> 125n === 1n && !isIn(REFUSED_IPV6, value);
  }
  return !isIn(REFUSED_IPV4, ipv4ToNumber(address));
}

export function numberToIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");
}

/** Without any abbreviation. */
export function numberToIpv6(value: bigint): string {
  return Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(
    ":",
  );
}

function isIn(ranges: readonly Range[], value: bigint): boolean {
  return ranges.some(([first, last]) => value >= first && value <= last);
}

function ipv4ToNumber(address: string): bigint {
  return address.split(".").reduce((value, part) => value * 256n + BigInt(part), 0n);
}

function ipv6ToNumber(address: string): bigint {
  const [head = "", tail] = address.split("::");
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: zeros }, () => 0n), ...after].reduce(
    (value, group) => (value << 16n) + group,
    0n,
  );
}

function groupsOf(text: string): bigint[] {
  return text === ""
    ? []
    : text.split(":").flatMap((group) => {
        if (!group.includes(".")) {
          return [BigInt(`0x${group}`)];
        }
        const value = ipv4ToNumber(group);
        return [value >> 16n, value & 0xffffn];
      });
}
