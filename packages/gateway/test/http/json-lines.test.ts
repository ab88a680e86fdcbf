import type { RequestListener } from "node:http";
import request from "supertest";
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
  onTestFinished(() => clearImmediate(next));
  const listener: RequestListener = (_request, response) =>
    writeJsonLines(response, pages(), new AbortController().signal);
  const received = String((await request(listener).get("/").responseType("blob")).body);
  expect(received.split("\n").filter((line) => line !== "")).toHaveLength(20);
  expect(new Set(turnsAtPages).size).toBe(20);
});
