/** Stands in for the gateway's own module: see `preload.ts`. */

import type { EgressRequest } from "@yagate/egress";
import { createEgressGuard as create } from "../../../packages/egress/src/guard.ts";
import type { AttemptName } from "./boundaries.ts";
import { cross } from "./crossing.ts";
import { holdRequest } from "./freezing.ts";
import { noteSent } from "./siblings.ts";

// biome-ignore lint/performance/noReExportAll: a stand-in has every export of the module that it replaces.
export * from "../../../packages/egress/src/guard.ts";

export const createEgressGuard: typeof create = (policy) => {
  const guard = create(policy);
  return {
    ...guard,
    async request(options) {
      const attempt = attemptOf(options);
      await holdRequest(attempt);
      const response = await guard.request({
        ...options,
        beforeSend() {
          options.beforeSend?.();
          cross("before_send", [attempt]);
        },
        onBytesSent() {
          options.onBytesSent?.();
          cross("after_send", [attempt]);
          noteSent(attempt);
        },
      });
      cross("after_answer", [attempt]);
      return response;
    },
  };
};

function attemptOf({ body = new Uint8Array() }: EgressRequest): AttemptName {
  const { toolCallId, attempt } = JSON.parse(Buffer.from(body).toString());
  return { toolCallId, number: attempt };
}
