import type { JsonObject } from "@yagate/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeBuiltinAgent } from "../support/builtin-agent.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ logLevel: "silent" });
});
afterAll(() => world.stop());

const refused = (message: RegExp) => ({ code: "INVALID_ARGUMENTS", message: expect.stringMatching(message) });

it("calculator, called by an agent, reads notation as people write it", async () => {
  const run = await makeBuiltinAgent(world, "calculator");
  const cases: readonly (readonly [JsonObject, object])[] = [
    [{ expression: "52 nCr 5" }, { value: 2598960 }],
    [{ expression: "nPr(10, 3)" }, { value: 720 }],
    [{ expression: "√(3² + 4²)" }, { value: 5 }],
    [{ expression: "(1 + 2)(3 + 4) + 2(5)" }, { value: 31 }],
    [{ expression: "2π / π" }, { value: 2 }],
    [{ expression: "1/2x" }, refused(/^SYNTAX: .*ambiguous; write \(a \/ b\) \* c or a \/ \(b \* c\)/)],
    [{ expression: "6/2(1 + 2)" }, refused(/^SYNTAX: .*ambiguous/)],
    [{ expression: "1.234,56 * 2", locale: "de" }, { value: 2469.12 }],
    [{ expression: "1 234,56 * 2", locale: "fr" }, { value: 2469.12 }],
    [{ expression: "1'234.56 * 2", locale: "de-CH" }, { value: 2469.12 }],
    [{ expression: "12,34,567.8", locale: "en-IN" }, { value: 1234567.8 }],
    [{ expression: "max(1,234)", locale: "en" }, refused(/could be several numbers: write ; between arguments/)],
    [{ expression: "1,234" }, refused(/set locale to one/)],
  ];
  const records = await run(cases.map(([parameters]) => parameters));
  expect(records.map(({ result, error }) => error ?? result)).toMatchObject(cases.map(([, expected]) => expected));
});
