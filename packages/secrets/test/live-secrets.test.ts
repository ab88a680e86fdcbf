import { expect, it } from "vitest";
import { type LiveSecret, LiveSecrets } from "../src/live-secrets.ts";
import { NOW } from "./support.ts";

const current = (text: string): LiveSecret => ({ text, expiresAt: null });

it("secrets that change while they are loaded are loaded again", async () => {
  const loads = [Promise.withResolvers<LiveSecret[]>(), Promise.withResolvers<LiveSecret[]>()];
  let count = 0;
  const secrets = new LiveSecrets({ now: () => NOW, load: () => loads[count++]?.promise ?? Promise.resolve([]) });
  const before = secrets.textsOf("ws_1", "shop");
  secrets.forget("ws_1", "shop");
  const after = secrets.textsOf("ws_1", "shop");
  loads[1]?.resolve([current("new")]);
  expect(await after).toEqual(["new"]);
  loads[0]?.resolve([current("old")]);
  expect(await before).toEqual(["old"]);
  expect(await secrets.textsOf("ws_1", "shop")).toEqual(["new"]);
  expect(count).toBe(2);
});

it("a load from before a change is not kept", async () => {
  const { promise, resolve } = Promise.withResolvers<LiveSecret[]>();
  const answers = [promise, Promise.resolve([current("new")])];
  const secrets = new LiveSecrets({ now: () => NOW, load: () => answers.shift() ?? Promise.resolve([]) });
  const before = secrets.textsOf("ws_1", "shop");
  secrets.forget("ws_1", "shop");
  resolve([current("old")]);
  expect(await before).toEqual(["old"]);
  expect(await secrets.textsOf("ws_1", "shop")).toEqual(["new"]);
});
