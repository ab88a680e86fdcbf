import { createHandler } from "@yagate/handler";
import { tools } from "./tools.ts";

/** Verifies calls, validates their arguments, runs the tools and signs the responses. */
export const handler = createHandler({ secrets: () => process.env["YAGATE_SIGNING_SECRET"] ?? "", tools });
