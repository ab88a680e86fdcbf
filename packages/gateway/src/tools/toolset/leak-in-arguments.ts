import { gatewayFailure } from "../../webhooks/send/failure.ts";
import type { ToolFailure } from "../port.ts";

/** Why a call may not run into whose arguments a model wrote the value of the secret of this name. */
export function leakInArguments(name: string): ToolFailure {
  const message = `the arguments hold the value of ${name}; nothing was sent`;
  return gatewayFailure("CREDENTIAL_LEAK", message, { outcome: "none" });
}
