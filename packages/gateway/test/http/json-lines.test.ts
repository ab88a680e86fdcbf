import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { writeJsonLines } from "../../src/http/json-lines.ts";

it("leaves others a turn after each page, also of pages that cost no waiting", async () => {
  const turnsAtPages: number[] = [];
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  async function* pages() {
    for (let page = 0; page < 20; page += 1) {
      turnsAtPages.push(turns);
      yield [{ page }];
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
  const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(text.split("\n").filter((line) => line !== "")).toHaveLength(20);
  expect(new Set(turnsAtPages).size).toBe(20);
});
