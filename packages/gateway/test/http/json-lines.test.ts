import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { writeJsonLines } from "../../src/http/responses/json-lines.ts";

it.each([
  ["small ones", "x"],
  ["such as fill the connection", "x".repeat(200_000)],
])("leaves others a turn after each page that costs no waiting: %s", async (_what, text) => {
  const turnsAtPages: number[] = [];
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  async function* pages() {
    for (let page = 0; page < 20; page += 1) {
      turnsAtPages.push(turns);
      yield [{ page, text }];
    }
  }
  const server = createServer((_request, response) => writeJsonLines(response, pages(), new AbortController().signal));
  onTestFinished(() => {
    clearImmediate(next);
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const received = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(received.split("\n").filter((line) => line !== "")).toHaveLength(20);
  expect(new Set(turnsAtPages).size).toBe(20);
});
