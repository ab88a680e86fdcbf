import { Cancellation } from "@yagate/lib/async/cancellation";
import { expect, it } from "vitest";
import { createWorld } from "./support/dispatch-world.ts";
import { startReplier } from "./support/handler-server.ts";

it.each(["signal", "unsentSignal"] as const)(
  "a call whose %s aborts while the call is signed is not sent",
  async (name) => {
    const handler = await startReplier({ body: { result: 1 } });
    const cancellation = new Cancellation();
    const world = await createWorld({
      forSigning: () => {
        cancellation.abort(new Error("cancelled"));
        return Promise.resolve([world.secret]);
      },
    });
    await world.attempt(handler.url, { [name]: cancellation.signal });
    expect(handler.calls).toHaveLength(0);
  },
);
