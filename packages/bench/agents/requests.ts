import { agentSchema, pageSchema } from "@yagate/protocol";

/** Requests to a gateway, each with its duration. */
export interface TimedApi {
  /** @returns the answer's JSON. */
  send(kind: string, method: string, path: string, body?: unknown): Promise<unknown>;
  /** Milliseconds of every request of a kind, in ascending order. */
  timesOf(kind: string): readonly number[];
}

/** Requests over HTTP, each measured from its first byte to the end of its response. */
export function createTimedApi(url: string, apiKey: string): TimedApi {
  const times = new Map<string, number[]>();
  return {
    async send(kind, method, path, body) {
      const startedAt = performance.now();
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const ofKind = times.get(kind) ?? [];
      ofKind.push(performance.now() - startedAt);
      times.set(kind, ofKind);
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
      return JSON.parse(text);
    },
    timesOf: (kind) => (times.get(kind) ?? []).toSorted((left, right) => left - right),
  };
}

/** All agents of the workspace, page by page. @returns how many. */
export async function listAll(api: TimedApi, kind: string, limit: number): Promise<number> {
  let count = 0;
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page: { data: readonly unknown[]; nextCursor: string | null } = pageSchema(agentSchema).parse(
      await api.send(kind, "GET", `/v1/agents?limit=${limit}${query}`),
    );
    count += page.data.length;
    cursor = page.nextCursor;
  }
  return count;
}
