import { startTraffic, type Target } from "./traffic.ts";

// A separate process, so that all its connections to the gateway end with it.
const [text = "", users = ""] = process.argv.slice(2);
const target: Target = JSON.parse(text);
const traffic = await startTraffic(target, Number(users));
process.on("message", async (question) => {
  if (question === "stop") await traffic.stop();
  process.send?.(traffic.tally);
  if (question === "stop") process.disconnect();
});
process.on("disconnect", () => process.exit());
process.send?.({});
