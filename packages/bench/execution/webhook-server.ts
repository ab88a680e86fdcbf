import { once } from "node:events";
import { createServer } from "node:http";
import { generateSigningSecret } from "@yagate/protocol";

const ANSWER = JSON.stringify({ result: { status: "shipped" } });

// A bare server. Both sides call the same one, so its cost affects both equally.
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.writeHead(200, { "content-type": "application/json", "content-length": ANSWER.length });
    response.end(ANSWER);
  });
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("expected a TCP address");
process.send?.({ url: `http://127.0.0.1:${address.port}/`, secret: generateSigningSecret() });
process.on("disconnect", () => process.exit());
