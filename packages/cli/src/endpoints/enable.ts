import type { Yagate } from "@yagate/client";
import { endpointIdSchema, YagateError } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import type { Invocation } from "../frame/invocation.ts";

/** Enables an endpoint and closes its circuit breaker. */
export async function enableEndpoint(invocation: Invocation, urlOrId: string): Promise<void> {
  const client = await invocation.client();
  const enabled = await client.endpoints.enable(await endpointIdOf(client, urlOrId));
  invocation.output.done(enabled, `${enabled.url} (${enabled.id}) is ${enabled.status}.`);
}

async function endpointIdOf(client: Yagate, urlOrId: string): Promise<string> {
  if (endpointIdSchema.safeParse(urlOrId).success) return urlOrId;
  for await (const { id, url } of client.endpoints.list({ limit: 200 })) if (url === urlOrId) return id;
  throw new YagateError("NOT_FOUND", `no endpoint has the URL ${urlOrId} in this workspace`, {
    hint: `${commandName()} endpoints list shows the URLs to which calls were sent`,
  });
}
