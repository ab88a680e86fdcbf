import type { LookupFunction } from "node:net";
import { strictFamily } from "@yagate/lib/hosts/address-family";
import { isObject } from "@yagate/lib/json/json-object";
import { dnsBlocked } from "./blocked.ts";

/** An address that a name resolved to. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Error codes for the failure of a name server. A name that does not exist has another code. */
const TEMPORARY_CODES: ReadonlySet<unknown> = new Set(["EAI_AGAIN", "ETIMEOUT", "ECONNREFUSED", "ESERVFAIL"]);

/**
 * Resolves all addresses of a name, once, in the resolver's order. Returns a literal address unchanged.
 *
 * @throws EgressError `DNS_BLOCKED` if there is no response in time, or if the response contains anything other than
 *   addresses.
 */
export async function resolveHost(
  hostname: string,
  lookup: LookupFunction,
  timeoutMs: number,
): Promise<readonly ResolvedAddress[]> {
  const family = strictFamily(hostname);
  return family === 0
    ? parseResponse(hostname, await ask(hostname, lookup, timeoutMs))
    : [{ address: hostname, family }];
}

function ask(hostname: string, lookup: LookupFunction, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(dnsBlocked(`no name server responded for ${hostname} within ${timeoutMs} ms`, { isTemporary: true }));
    }, timeoutMs);
    const settle = (error: NodeJS.ErrnoException | null, answer?: unknown) => {
      clearTimeout(timer);
      if (error) {
        const isTemporary = TEMPORARY_CODES.has(error.code);
        reject(
          dnsBlocked(`${hostname} was not resolved: ${error.code ?? error.message}`, { isTemporary, cause: error }),
        );
      } else {
        resolve(answer);
      }
    };
    try {
      lookup(hostname, { all: true, order: "verbatim" }, settle);
    } catch (error) {
      settle(error instanceof Error ? error : new Error("the lookup function threw an error"));
    }
  });
}

/**
 * Parses the result of a lookup function. The function can come from anywhere, so its result is validated like input
 * from the network.
 */
function parseResponse(hostname: string, answer: unknown): readonly ResolvedAddress[] {
  const entries: readonly unknown[] = Array.isArray(answer) ? answer : [{ address: answer }];
  return entries.map((entry) => {
    const address: unknown = isObject(entry) && "address" in entry ? entry.address : undefined;
    const family = typeof address === "string" ? strictFamily(address) : 0;
    if (typeof address !== "string" || family === 0) {
      throw dnsBlocked(`a result for ${hostname} is not an IP address: ${String(address)}`);
    }
    return { address, family };
  });
}
