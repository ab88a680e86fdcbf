import { createEgressGuard } from "@yagate/egress";
import { readIssuerKeys } from "@yagate/mcp/oauth/issuer-keys";
import { onTestFinished } from "vitest";
import { createIssuerKeys } from "../../src/mcp-access/issuer-keys.ts";
import { createTokenAccess } from "../../src/mcp-access/token-access.ts";
import type { TokenIssuer } from "./token-issuer.ts";

export const AUDIENCE = "https://yagate.example/mcp";
export const WORKSPACE_ID = "ws_01m7yj864ke00brb1mkxjenfhm";

/** Accepts the tokens of an issuer on loopback. The clock stands still unless a test moves it. */
export function openAccess({ issuer }: Pick<TokenIssuer, "issuer">) {
  const clock = { at: Date.now() };
  const reasons: string[] = [];
  const failures: unknown[] = [];
  const now = () => clock.at;
  // The issuer's origin is in an allowlisted network, and nothing else may be.
  const [written, named] = [createEgressGuard({ allowCidrs: ["127.0.0.0/8"], ports: "any" }), createEgressGuard()];
  onTestFinished(async () => {
    await Promise.all([written.close(), named.close()]);
  });
  const network = { fetch: written.fetch, publicFetch: named.fetch };
  const keyOf = createIssuerKeys({
    ...{ read: () => readIssuerKeys({ ...network, issuer, signal: AbortSignal.timeout(10_000) }), now },
    onFailure: (error) => failures.push(error),
  });
  const trusted = { issuer, audience: AUDIENCE, workspaceId: WORKSPACE_ID, scopes: new Set(["executions"] as const) };
  const access = createTokenAccess({
    ...{ issuers: [{ ...trusted, keyOf }], now },
    onRejected: (_issuer, reason) => reasons.push(reason),
  });
  return { authenticate: access.authenticate, clock, reasons, failures };
}
