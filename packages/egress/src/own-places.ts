import { networkInterfaces } from "node:os";
import { strictFamily } from "@yagate/lib/hosts/address-family";
import { hostNameOf } from "@yagate/lib/hosts/host-name";

/** The addresses and ports on which the gateway itself listens. Requests of workspaces must not go there. */
export interface OwnPlaces {
  /**
   * Checks whether a host is one of the gateway's own names or addresses.
   *
   * @param hostname - from a URL, in lower case, without brackets or a trailing dot.
   */
  hasHost(hostname: string, port: number): boolean;
  /**
   * Checks whether an address is one of the gateway's own.
   *
   * @param address - a literal address or one that a name resolved to.
   */
  hasAddress(address: string, port: number): boolean;
}

/**
 * The gateway's own addresses, to which more can be added during startup: a port may be unknown until the gateway
 * listens on it.
 */
export interface GrowingOwnPlaces extends OwnPlaces {
  /**
   * Adds an address on which the gateway listens.
   *
   * @param address - as a server reports it; `0.0.0.0` and `::` stand for all addresses of this machine.
   */
  add(address: string, port: number): void;
}

export interface OwnPlacesOptions {
  /** The public URL of the gateway. */
  readonly publicUrl?: string | undefined;
  /** Returns the network interfaces of this machine. Default: `os.networkInterfaces`. */
  readonly interfaces?: () => Readonly<Record<string, readonly { readonly address: string }[] | undefined>>;
}

/**
 * Creates the own addresses of one gateway. They do not include the addresses of its public host name, which may belong
 * to a load balancer that other services share.
 */
export function createOwnPlaces({ publicUrl, interfaces = networkInterfaces }: OwnPlacesOptions): GrowingOwnPlaces {
  const publicPlace = publicUrl === undefined ? undefined : placeOf(new URL(publicUrl));
  const listeners: { readonly address: string; readonly port: number }[] = [];
  if (publicPlace !== undefined && strictFamily(publicPlace.hostname) !== 0) {
    listeners.push({ address: publicPlace.hostname, port: publicPlace.port });
  }
  const isOfThisMachine = (address: string) =>
    isLoopback(address) ||
    Object.values(interfaces()).some((list) => list?.some((one) => plainAddress(one.address) === address));
  return {
    hasHost: (hostname, port) => publicPlace?.hostname === hostname && publicPlace.port === port,
    hasAddress(address, port) {
      const wanted = plainAddress(address);
      return listeners.some(
        (listener) =>
          listener.port === port &&
          (isWildcard(listener.address) ? isOfThisMachine(wanted) : plainAddress(listener.address) === wanted),
      );
    },
    add: (address, port) => listeners.push({ address, port }),
  };
}

function placeOf(url: URL): { readonly hostname: string; readonly port: number } {
  const { protocol, port } = url;
  const ownPort = protocol === "https:" ? 443 : 80;
  return { hostname: hostNameOf(url), port: port === "" ? ownPort : Number(port) };
}

/**
 * Checks whether an address stands for all addresses of the machine. A server that listens on `::` also accepts IPv4.
 */
function isWildcard(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}

function isLoopback(address: string): boolean {
  return address === "::1" || (strictFamily(address) === 4 && address.startsWith("127."));
}

/**
 * Returns the same text for all forms of an address. An IPv4 address that is mapped into IPv6 or translated becomes the
 * plain IPv4 address. The unspecified address becomes the loopback address, because a connection to it arrives there.
 */
function plainAddress(address: string): string {
  if (strictFamily(address) !== 6) return address === "0.0.0.0" ? "127.0.0.1" : address;
  const text = hostNameOf(new URL(`http://[${address}]/`));
  if (text === "::") return "::1";
  const [, high, low] = /^(?:::ffff|64:ff9b:):([0-9a-f]+):([0-9a-f]+)$/.exec(text) ?? [];
  if (high === undefined || low === undefined) return text;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return plainAddress([first >> 8, first & 255, second >> 8, second & 255].join("."));
}
