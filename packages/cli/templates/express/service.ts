import { toExpress } from "@yagate/handler/express";
import express from "express";
import { handler } from "./handler.ts";

const port = Number(process.env["PORT"] ?? 3000);
const app = express();
// Before any body parser, because the signature covers the bytes of the request.
app.post("/tools", toExpress(handler));
app.listen(port, (error) => console.log(error?.message ?? `the tools are at http://localhost:${port}/tools`));
