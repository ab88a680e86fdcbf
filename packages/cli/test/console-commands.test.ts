import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { startGateway } from "./support/gateway.ts";
import { runWithInput } from "./support/run-with-input.ts";

it("the command on the console's sign-in page creates a key", async () => {
  const page = new URL("../../console/src/session/sign-in-page.tsx", import.meta.url);
  const [, command = ""] = /<Command text="yagate ([^"]+)"/.exec(readFileSync(page, "utf8")) ?? [];
  expect(command).toMatch(/^keys create /);
  const { env } = await startGateway();
  expect(await runWithInput(command.split(" "), env)).toMatchObject({ status: 0 });
});
