import { createEgressGuard, EgressError } from "@yagate/egress";
import { loopbackLookup } from "./scripted-lookup.ts";

/** Requests each URL of the command line twice, by `request` and by `fetch`, and prints what came of it as JSON. */
const guard = createEgressGuard({
  allowCidrs: ["127.0.0.1"],
  lookup: loopbackLookup,
  ca: [process.env["TEST_CA"] ?? ""],
});

async function outcomeOf(promise: Promise<string>): Promise<string> {
  return promise.catch((error: unknown) => (error instanceof EgressError ? error.code : String(error)));
}

async function requested(url: string): Promise<string> {
  const options = { method: "GET", url, headers: {}, timeoutMs: 5_000, maxResponseBytes: 1_000 } as const;
  return new TextDecoder().decode((await guard.request(options)).body);
}

async function fetched(url: string): Promise<string> {
  return (await guard.fetch(url)).text();
}

const outcomes: string[] = [];
for (const url of process.argv.slice(2)) {
  outcomes.push(await outcomeOf(requested(url)), await outcomeOf(fetched(url)));
}
process.stdout.write(JSON.stringify(outcomes));
await guard.close();
