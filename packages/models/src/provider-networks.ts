import { strictFamily } from "@yagate/lib/hosts/address-family";
import { withoutBrackets } from "@yagate/lib/hosts/host-name";
import type { ProvidersSettings } from "./provider-settings.ts";

const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/**
 * Returns the private networks that may contain the operator's providers: the allowlisted networks, and the IP
 * addresses in the providers' base URLs. Configuring `http://127.0.0.1:11434` allowlists that address for this provider
 * only. A host name must resolve to an address in an allowlisted network.
 */
export function providerNetworks(providers: ProvidersSettings, allowCidrs: readonly string[]): readonly string[] {
  const written = Object.values(providers).flatMap((settings) => {
    const url = URL.parse(settings?.baseUrl ?? "");
    if (url === null) return [];
    const host = withoutBrackets(url.hostname);
    if (host === "localhost") return LOOPBACK;
    const family = strictFamily(host);
    return family === 0 ? [] : [`${host}/${family === 4 ? 32 : 128}`];
  });
  return [...new Set([...allowCidrs, ...written])];
}
