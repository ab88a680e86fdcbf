import { createEgressGuard } from "@yagate/egress";
import { afterAll } from "vitest";
import type { OAuthTarget } from "../../../src/oauth/port.ts";

/** Opens the guards of a test file: servers on loopback are in an allowlisted network. */
export function openTargets(): (url: string, issuer: string, signal?: AbortSignal) => OAuthTarget {
  const written = createEgressGuard({ allowCidrs: ["127.0.0.0/8"], ports: "any" });
  const named = createEgressGuard();
  afterAll(() => Promise.all([written.close(), named.close()]));
  return (url, issuer, signal = new AbortController().signal) => ({
    ...{ url, issuer, signal, fetch: written.fetch, publicFetch: named.fetch, now: Date.now },
  });
}
