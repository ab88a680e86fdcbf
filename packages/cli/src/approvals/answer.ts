import { type Approval, type JsonObject, jsonObjectSchema, YagateError } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { readStandardInput } from "../signing-secrets/read-standard-input.ts";

export interface ApproveCommandOptions {
  readonly parameters?: string;
  readonly comment?: string;
}

/**
 * Approves a tool call.
 *
 * @throws YagateError `INVALID_REQUEST` if the arguments are not a JSON object, and the errors of the gateway.
 */
export async function approve(
  invocation: Invocation,
  id: string,
  { parameters: text, comment }: ApproveCommandOptions,
): Promise<void> {
  const client = await invocation.client();
  const parameters = text === undefined ? undefined : parse(text === "-" ? await readStandardInput() : text);
  say(invocation, await client.approvals.approve(id, { parameters, comment }));
}

/** Denies a tool call. */
export async function deny(
  invocation: Invocation,
  id: string,
  { reason }: { readonly reason?: string },
): Promise<void> {
  say(invocation, await (await invocation.client()).approvals.deny(id, { reason }));
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
  const hint = `in a shell, put it in quotes: --parameters '{ "orderId": "ORD-7" }'`;
  return new YagateError("INVALID_REQUEST", "expected --parameters to be a JSON object", { hint });
}

function say({ output }: Invocation, approval: Approval): void {
  const { id, status, tool } = approval;
  output.done(approval, `${id} was ${status}: ${tool.name}.`);
}
