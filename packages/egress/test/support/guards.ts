import {
  createEgressGuard,
  EgressError,
  type EgressGuard,
  type EgressPolicy,
  type EgressRequest,
} from "@yagate/egress";
import { onTestFinished } from "vitest";
import { loopbackLookup } from "./scripted-lookup.ts";
import { TEST_CA } from "./servers.ts";

/** A guard for the servers of a test: 127.0.0.1 is open, every name stands for it, the test CA is trusted. */
export function testGuard(policy: EgressPolicy = {}): EgressGuard {
  const guard = createEgressGuard({ allowCidrs: ["127.0.0.1"], lookup: loopbackLookup, ca: [TEST_CA], ...policy });
  onTestFinished(() => guard.close());
  return guard;
}

/** A GET with ample limits. */
export function get(url: string, rest: Partial<EgressRequest> = {}): EgressRequest {
  return { method: "GET", url, headers: {}, timeoutMs: 5_000, maxResponseBytes: 1_000_000, ...rest };
}

/** A POST of `{}` with ample limits. */
export function post(url: string, rest: Partial<EgressRequest> = {}): EgressRequest {
  return { ...get(url), method: "POST", body: new TextEncoder().encode("{}"), ...rest };
}

/** The error of a request that must fail with one. */
export async function failureOf(promise: Promise<unknown>): Promise<EgressError> {
  const outcome: unknown = await promise.then(
    () => "it succeeded",
    (error: unknown) => error,
  );
  if (!(outcome instanceof EgressError)) {
    throw new Error("expected an EgressError", { cause: outcome });
  }
  return outcome;
}
