import assert from "node:assert/strict";
import { test } from "node:test";
import { createHandler } from "@yagate/handler";
import { callTool } from "@yagate/handler/testing";
import { generateSigningSecret } from "@yagate/protocol";
import { tools } from "./tools.ts";

const secret = generateSigningSecret();
const handler = createHandler({ secrets: secret, tools });
const book = (guests: number) =>
  callTool(handler, { secret, name: "book_table", parameters: { guests, time: "19:30" } });

test("books a table", async () => {
  const { status, isSigned, result } = await book(4);
  assert.deepEqual({ status, isSigned }, { status: 200, isSigned: true });
  assert.partialDeepStrictEqual(result, { booked: true, guests: 4, time: "19:30" });
});

test("has no table for ten", async () => {
  const { error } = await book(10);
  assert.equal(error?.code, "NO_TABLE");
});

test("rejects invalid arguments", async () => {
  const { error } = await book(0);
  assert.equal(error?.code, "INVALID_ARGUMENTS");
});
