import { verifyCall } from "@yagate/handler";
import { generateSigningSecret, sign } from "@yagate/protocol";
import { serveBlocks } from "../block-driver.ts";
import { callBody } from "../call-body.ts";
import { createSynchronousVerifier } from "./synchronous-verifier.ts";

const BODY_BYTES = 1_024;

const [side] = process.argv.slice(2);
const secret = generateSigningSecret();
const now = Date.now();
const body = callBody(now, BODY_BYTES);
const headers = { "x-ya-signature": await sign(body, [secret]) };
const options = { secrets: [secret], now: () => now };
const synchronous = createSynchronousVerifier(secret, () => now);

serveBlocks(
  side === "kit" ? () => verifyCall({ headers, body }, options) : () => synchronous(headers["x-ya-signature"], body),
);
