import express from "express";
import { createSynchronousVerifier } from "../verification/synchronous-verifier.ts";
import { serve } from "./serve.ts";

const verify = createSynchronousVerifier(process.argv[2] ?? "", Date.now);
const app = express();
app.post("/tool", express.raw({ type: () => true, limit: "1mb" }), (request, response) => {
  const { parameters } = verify(request.get("x-ya-signature") ?? "", request.body);
  response.json({ result: { echoed: Object.keys(parameters as object).length } });
});
await serve(app);
