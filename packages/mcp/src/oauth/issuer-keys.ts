import * as z from "zod";
import { inStep, OAuthFailure } from "./oauth-failure.ts";
import { createOAuthRequests } from "./oauth-fetch.ts";
import type { OAuthTarget } from "./port.ts";

/** Maximum number of keys that an issuer may publish. */
const MAX_KEYS = 100;

const metadataSchema = z.looseObject({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });
const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(MAX_KEYS) });

/** The public keys of an issuer (RFC 7517). */
export type IssuerKeySet = z.output<typeof keySetSchema>;

export type KeysTarget = Pick<OAuthTarget, "issuer" | "fetch" | "publicFetch" | "signal">;

/**
 * Reads the keys with which an issuer signs its tokens, from the URL in the issuer's metadata (RFC 8414, OpenID Connect
 * Discovery). Only the issuer's own origin may be in an allowlisted network.
 *
 * @param requestMs - the time limit of a request; tests shorten it.
 * @throws OAuthFailure if a response is missing, too large, too slow, or a redirect, and if the metadata is that of
 *   another issuer.
 */
export async function readIssuerKeys(target: KeysTarget, requestMs?: number): Promise<IssuerKeySet> {
  const { buildDiscoveryUrls } = await import("@modelcontextprotocol/client");
  const requests = createOAuthRequests({ ...target, url: target.issuer }, requestMs);

  async function readJson(url: string | URL): Promise<unknown> {
    const response = await requests.fetch(url, { headers: { Accept: "application/json" } });
    if (response.ok) return response.json();
    if (response.status < 500) return undefined;
    throw new OAuthFailure("SOURCE_UNREACHABLE", `the issuer responded with HTTP ${response.status}`);
  }

  async function readMetadata(): Promise<unknown> {
    for (const { url } of buildDiscoveryUrls(target.issuer)) {
      const found = await readJson(url);
      if (found !== undefined) return found;
    }
    throw new OAuthFailure("SOURCE_UNAUTHORIZED", "the issuer publishes no authorization server metadata");
  }

  return inStep("reading the issuer's keys", async () => {
    const metadata = metadataSchema.parse(await readMetadata());
    if (metadata.issuer !== target.issuer) {
      throw new OAuthFailure("SOURCE_UNAUTHORIZED", "the metadata names another issuer");
    }
    return keySetSchema.parse(await readJson(metadata.jwks_uri));
  });
}
