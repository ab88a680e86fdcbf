import { createEgressGuard } from "@yagate/egress";

/** Sends a call to the given URL whenever its parent says so, and reports whether a response arrived. */
const [url = ""] = process.argv.slice(2);
const guard = createEgressGuard({
  allowCidrs: ["127.0.0.1"],
  allowHttp: true,
  ports: "any",
  limits: { keepAliveMs: 200 },
});
process.on("message", async () => {
  const call = {
    method: "POST" as const,
    url,
    headers: {},
    body: new Uint8Array(),
    timeoutMs: 5_000,
    maxResponseBytes: 1_000,
  };
  const outcome = await guard.request(call).then(
    ({ status }) => status,
    (error: unknown) => String(error),
  );
  process.send?.(outcome);
});
process.send?.("ready");
