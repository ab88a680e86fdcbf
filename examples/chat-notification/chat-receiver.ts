import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { z } from "zod";

const CHANNELS = new Set(["#orders", "#kitchen"]);
const messageSchema = z.object({ channel: z.string(), text: z.string() });

/** A chat's incoming webhook on loopback. It has two channels, stores the messages, and can pretend to be busy. */
export async function startChatReceiver() {
  const messages: z.infer<typeof messageSchema>[] = [];
  let busyFor = 0;
  const server = createServer(async (request, response) => {
    if (busyFor > 0) {
      busyFor--;
      request.resume();
      response.writeHead(429, { "retry-after": "1" }).end("rate_limited");
      return;
    }
    const message = messageSchema.parse(await json(request));
    if (!CHANNELS.has(message.channel)) {
      response.writeHead(404).end("channel_not_found");
      return;
    }
    messages.push(message);
    response.end("ok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/services/T000/B000/secret`,
    messages: messages as readonly z.infer<typeof messageSchema>[],
    /** Responds to the next requests with 429. */
    beBusyFor(requests: number) {
      busyFor = requests;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
