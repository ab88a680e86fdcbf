import type { Gateway } from "@yagate/gateway";

/** Stops the gateway on SIGINT or SIGTERM; a second signal ends the process at once. */
export async function untilSignal(gateway: Gateway): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130));
        resolve();
      });
    }
  });
  console.log("Stopping: waiting for calls that are on their way …");
  await gateway.stop();
}
