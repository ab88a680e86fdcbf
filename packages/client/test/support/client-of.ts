import { Yagate, type YagateOptions } from "../../src/index.ts";
import { type ManualRuntime, manualRuntime } from "./manual-runtime.ts";
import type { ScriptedGateway } from "./scripted-gateway.ts";

export const API_KEY = "yk_test_0123456789";

/** A client of a scripted gateway, on a runtime that never really waits. */
export function clientOf(
  gateway: ScriptedGateway,
  options: YagateOptions = {},
  runtime: ManualRuntime = manualRuntime(),
): Yagate {
  return new Yagate({ baseUrl: gateway.url, apiKey: API_KEY, ...options }, runtime);
}
