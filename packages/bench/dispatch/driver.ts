import { serveBlocks } from "../block-driver.ts";
import { createBareSender, type Message } from "./bare-sender.ts";
import { createSignedSender } from "./signed-sender.ts";

// Sends calls from this process to a server in another one: signed by the dispatcher, or prepared messages.
const [url, prepared] = process.argv.slice(2);
if (url === undefined) throw new Error("expected the URL of a webhook");
const sender =
  prepared === undefined ? await createSignedSender(url) : createBareSender(url, JSON.parse(prepared) as Message);

serveBlocks(sender.send, () => sender.close());
