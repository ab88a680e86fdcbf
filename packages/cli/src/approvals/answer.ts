import { type Approval, type JsonObject, jsonObjectSchema, toVisibleLine, YagateError } from "@yagate/protocol";
import { gatewayClient } from "../gateway-client.ts";
import { readStandardInput } from "../signing-secrets/read-standard-input.ts";

export interface ApproveCommandOptions {
  readonly parameters?: string;
  readonly comment?: string;
}

/**
 * Lets a call run.
 *
 * @throws YagateError `INVALID_REQUEST` for arguments that are no JSON object; what the gateway refuses, as it says it.
 */
export async function approve(id: string, { parameters: text, comment }: ApproveCommandOptions): Promise<void> {
  const client = gatewayClient();
  const parameters = text === undefined ? undefined : parse(text === "-" ? await readStandardInput() : text);
  say(await client.approvals.approve(id, { parameters, comment }));
}

/** Ends a call. */
export async function deny(id: string, { reason }: { readonly reason?: string }): Promise<void> {
  say(await gatewayClient().approvals.deny(id, { reason }));
}

function parse(text: string | Uint8Array): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(typeof text === "string" ? text : new TextDecoder().decode(text));
  } catch {
    throw notAnObject();
  }
  const object = jsonObjectSchema.safeParse(value);
  if (!object.success) throw notAnObject();
  return object.data;
}

function notAnObject(): YagateError {
  const hint = `Nothing was sent. In a shell, put it into quotes: --parameters '{ "orderId": "ORD-7" }'`;
  return new YagateError("INVALID_REQUEST", "expected --parameters to be a JSON object", { hint });
}

function say({ id, status, tool }: Approval): void {
  console.log(toVisibleLine(`${id} was ${status}: ${tool.name}.`));
}
