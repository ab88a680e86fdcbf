import { serveBlocks } from "../block-driver.ts";
import { createSignedSender } from "../dispatch/signed-sender.ts";
import { createDispatchEgress, createRequestEgress } from "./unguarded-egress.ts";

// Sends signed calls from this process, through the guard or through what takes its place.
const [side, url] = process.argv.slice(2);
if (url === undefined) throw new Error("expected the URL of a webhook");
const sender = await createSignedSender(url, unguarded(url));

serveBlocks(sender.send, () => sender.close());

function unguarded(to: string) {
  if (side === "requested") return createRequestEgress(to);
  return side === "dispatched" ? createDispatchEgress(to) : undefined;
}
