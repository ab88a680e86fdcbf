import type { AddressInfo } from "node:net";
import { toExpress } from "@yagate/handler/express";
import express from "express";
import { handler } from "./handler.ts";

const app = express();
app.post("/tools", toExpress(handler));
// Mount parsers after the tools, because the signature covers the exact bytes.
app.use(express.json());

const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", (error) => {
  if (error) throw error;
  const { port } = server.address() as AddressInfo;
  console.log(`listening on http://127.0.0.1:${port}`);
});
