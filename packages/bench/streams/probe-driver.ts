import { Agent, request } from "node:http";

/** Requests `/healthz` at a high fixed rate, whether or not the previous response has arrived. */
const EVERY_MS = 5;

const [url = ""] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
let asked: Promise<number>[] = [];

/** @returns the time until the response, in ms. */
function ask(askedAt = performance.now()): Promise<number> {
  return new Promise((resolve) => {
    const onEnd = () => resolve(performance.now() - askedAt);
    request(`${url}/healthz`, { agent }, (response) => response.resume().once("end", onEnd))
      // The gateway has closed an idle connection at the same moment.
      .once("error", () => resolve(ask(askedAt)))
      .end();
  });
}

const timer = setInterval(() => {
  asked.push(ask());
}, EVERY_MS);
process.on("message", async (question) => {
  if (question === "begin") {
    asked = [];
    process.send?.("begun");
    return;
  }
  clearInterval(timer);
  process.send?.(await Promise.all(asked));
});
process.send?.("ready");
process.on("disconnect", () => process.exit());
