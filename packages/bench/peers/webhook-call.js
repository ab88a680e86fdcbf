import { Pool } from "undici";

/** Makes the peers' call: unsigned and unguarded, and with the quickest client that there is. */
export function createWebhookCall(url) {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 256 });
  return async ({ toolCallId, toolName, input }) => {
    const { body } = await pool.request({
      path: pathname,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ toolCallId, name: toolName, parameters: input }),
    });
    return body.json();
  };
}
