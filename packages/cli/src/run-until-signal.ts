import type { Gateway } from "@yagate/gateway";

/** Exit status of a process that a second signal ended: 128 and the number of SIGINT, as shells have it. */
const INTERRUPTED = 130;

/**
 * Starts a gateway and stops it on SIGINT or SIGTERM; a second signal ends the process at once.
 *
 * @param introduce - what to print once it listens.
 * @throws YagateError why it can't start.
 */
export async function runUntilSignal(
  gateway: Gateway,
  introduce: (url: string) => string | Promise<string>,
): Promise<void> {
  // Without a listener a write past the process's file size limit ends it without a word; with one the write fails, and
  // the journal says that the disk is full.
  process.on("SIGXFSZ", () => undefined);
  const { url } = await gateway.start();
  const signalled = firstSignal();
  console.log(await introduce(url));
  await signalled;
  console.log("Stopping: waiting for calls that are on their way …");
  await gateway.stop();
}

function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        count += 1;
        if (count > 1) process.exit(INTERRUPTED);
        resolve();
      });
    }
  });
}
