import { expect, it } from "vitest";
import { createOAuthRequests } from "../../src/oauth/oauth-fetch.ts";
import type { OAuthTarget } from "../../src/oauth/port.ts";

function recordingTarget() {
  const sent: [string, string][] = [];
  const fetchAs = (name: string) => async (input: string | URL | Request, init?: RequestInit) => {
    sent.push([name, String(input instanceof Request ? input.url : input)]);
    expect(init?.redirect).toBe("error");
    return new Response("{}");
  };
  const target: OAuthTarget = {
    ...{ url: "https://mcp.internal:8443/mcp", issuer: "https://login.internal/tenant" },
    ...{
      fetch: fetchAs("written"),
      publicFetch: fetchAs("named"),
      signal: new AbortController().signal,
      now: Date.now,
    },
  };
  return { target, sent };
}

it("lets only the origins that a person wrote use allowlisted networks", async () => {
  const { target, sent } = recordingTarget();
  const { fetch } = createOAuthRequests(target);
  for (const url of [
    "https://mcp.internal:8443/.well-known/oauth-protected-resource",
    "https://login.internal/.well-known/oauth-authorization-server/tenant",
    "https://mcp.internal/mcp",
    "http://login.internal/token",
    "https://token.internal/token",
  ]) {
    await fetch(url);
  }
  expect(sent.map(([name]) => name)).toEqual(["written", "written", "named", "named", "named"]);
});

it("gives up on a response that never ends", async () => {
  const { target } = recordingTarget();
  const slow: OAuthTarget["fetch"] = (_input, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  const { fetch, status } = createOAuthRequests({ ...target, fetch: slow }, 1);
  await expect(fetch(target.url)).rejects.toMatchObject({ code: "SOURCE_UNREACHABLE" });
  expect(status()).toBe(0);
});
