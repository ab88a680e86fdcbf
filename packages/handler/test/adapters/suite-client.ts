import { verifyAnswerSignature, verifyManifest } from "@yagate/protocol";
import { expect } from "vitest";
import { z } from "zod";
import {
  type SignedCallOptions,
  type SignedDescribeOptions,
  signedCallParts,
  signedDescribeParts,
} from "../../src/testing.ts";
import type { Message, Reachable } from "./adapter.ts";
import { SUITE_SECRET, type WorkStep } from "./suite-handler.ts";

export type HeaderList = readonly (readonly [name: string, value: string])[];

export type ToMessage = (headers: HeaderList, body: Uint8Array) => Message;

/** A signed call that a test changes one thing of. */
export function suiteCall(changed: Partial<SignedCallOptions> = {}): SignedCallOptions {
  return { secret: SUITE_SECRET, name: "lookup_order", parameters: { orderId: "ORD-12345" }, ...changed };
}

export const wholeMessage: ToMessage = (headers, body) => ({ headers, chunks: [body] });

/** Sends a signed call, checks the answer's signature, and returns its status and content. */
export async function ask(
  server: Reachable,
  options: Partial<SignedCallOptions> = {},
  toMessage: ToMessage = wholeMessage,
) {
  const parts = await signedCallParts(suiteCall(options));
  const { status, headers, body } = await server.send(toMessage(Object.entries(parts.headers), parts.body));
  const signature = headers.get("x-ya-signature");
  if (signature !== null) {
    await verifyAnswerSignature(signature, { toolCallId: parts.toolCallId, status, body }, [SUITE_SECRET]);
  }
  // Some servers name the encoding, which JSON has no need of.
  expect(headers.get("content-type")).toMatch(/^application\/json(; ?charset=utf-8)?$/);
  return { status, isSigned: signature !== null, ...JSON.parse(Buffer.from(body).toString()) };
}

/** Sends a describe request, checks the response's signature, and returns its status and content. */
export async function askForManifest(
  server: Reachable,
  options: Partial<SignedDescribeOptions> = {},
  toMessage: ToMessage = wholeMessage,
) {
  const parts = await signedDescribeParts({ secret: SUITE_SECRET, ...options });
  const { status, headers, body } = await server.send(toMessage(Object.entries(parts.headers), parts.body));
  const signature = headers.get("x-ya-signature");
  if (signature !== null) await verifyManifest(signature, { requestId: parts.requestId, status, body }, [SUITE_SECRET]);
  return { status, isSigned: signature !== null, ...JSON.parse(Buffer.from(body).toString()) };
}

let count = 0;

/** A name that no test before has used, so that tests can share one handler. */
export function newName(kind: "task" | "tc"): string {
  count += 1;
  return `${kind}_${count}_${crypto.randomUUID().replaceAll("-", "")}`;
}

/** A call of `work`, with an id of its own that its retries share. */
export function workCall(steps: readonly WorkStep[], more: { isGated?: boolean } = {}) {
  const task = newName("task");
  return { name: "work", toolCallId: newName("tc"), parameters: { task, steps: [...steps], ...more } };
}

type WorkCall = ReturnType<typeof workCall>;

const reportSchema = z.object({
  result: z.object({
    runs: z.int(),
    claims: z.int(),
    abortedWith: z.string().nullable(),
    callback: z.unknown(),
    errors: z.array(z.string()),
  }),
});

/** What the handler has seen of a call and its task. */
export async function reportOf(server: Reachable, { toolCallId, parameters: { task } }: WorkCall) {
  return reportSchema.parse(await ask(server, { name: "report", parameters: { task, toolCallId } })).result;
}

export async function openGate(server: Reachable, { parameters: { task } }: WorkCall): Promise<void> {
  expect(await ask(server, { name: "open", parameters: { task } })).toMatchObject({ status: 200, result: null });
}
