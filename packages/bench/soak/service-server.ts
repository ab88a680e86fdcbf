import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

const SLOW_MS = 400;

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}

/** The failures at each path, which alternate with regular responses. */
const FAULTS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "/failing": (response) => answer(response, 503, '{"error":{"code":"BUSY","message":"later"}}'),
  "/refusing": (response) => answer(response, 422, '{"error":{"code":"UNKNOWN_ORDER","message":"no such order"}}'),
  "/garbled": (response) => answer(response, 200, '{"result":'),
  "/breaking": (response) => void response.destroy(),
  "/slow": (response) => void setTimeout(() => answer(response, 200, '{"result":{"status":"shipped"}}'), SLOW_MS),
};

let requests = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    requests += 1;
    const fault = FAULTS[request.url ?? ""];
    if (fault !== undefined && requests % 2 === 0) fault(response);
    else answer(response, 200, '{"result":{"status":"shipped"}}');
  });
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("expected a TCP address");
process.send?.({ url: `http://127.0.0.1:${address.port}`, paths: ["/", ...Object.keys(FAULTS)] });
process.on("disconnect", () => process.exit());
