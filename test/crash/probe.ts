import { randomUUID } from "node:crypto";
import { setTimeout as pass } from "node:timers/promises";
import type { GatewayProcess } from "./gateway-process.ts";

const PAUSE_MS = 100;

/** What there is for sure, and must be found. */
export interface ProbeSubject {
  readonly agentId: string;
  readonly executionIds: readonly string[];
}

export interface Probe {
  stop(): Promise<{
    /** Answers that were neither true nor a 503 that says that the store is away. */
    readonly untrue: readonly string[];
    /** Executions that were acknowledged to the probe. */
    readonly acknowledged: readonly string[];
  }>;
}

interface Request {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
  /** What an answer is when it is true. */
  readonly status: number;
  readonly isTrue: (body: Answer) => boolean;
}

/** The fields of an answer that are looked at. */
interface Answer {
  readonly id?: string;
  readonly code?: string;
  readonly status?: string | number;
  readonly data?: readonly { readonly id: string }[];
}

/** Asks a gateway many things again and again, and holds each answer against what is so. */
export function startProbe(gateway: GatewayProcess, { agentId, executionIds }: ProbeSubject): Probe {
  const [first = ""] = executionIds;
  const untrue: string[] = [];
  const acknowledged: string[] = [];
  let isOver = false;

  const requests: readonly Request[] = [
    {
      method: "GET",
      path: `/v1/executions/${first}`,
      status: 200,
      isTrue: ({ id, status }) => id === first && status !== "failed" && status !== "cancelled",
    },
    { method: "GET", path: `/v1/agents/${agentId}`, status: 200, isTrue: ({ id }) => id === agentId },
    {
      method: "GET",
      path: "/v1/executions?limit=200",
      status: 200,
      isTrue: ({ data = [] }) => {
        const listed = new Set(data.map(({ id }) => id));
        return data.length === 200 || executionIds.every((id) => listed.has(id));
      },
    },
    {
      method: "POST",
      path: `/v1/agents/${agentId}/executions`,
      body: { input: "go", script: { turns: [{ text: "done" }] } },
      status: 201,
      isTrue({ id }) {
        if (id !== undefined) acknowledged.push(id);
        return id !== undefined;
      },
    },
    { method: "GET", path: "/readyz", status: 200, isTrue: ({ status }) => status === "ok" },
  ];

  async function ask({ method, path, body, status, isTrue }: Request): Promise<void> {
    const headers = {
      authorization: `Bearer ${gateway.apiKey}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    };
    const response = await fetch(`${gateway.url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer: Answer = JSON.parse(text);
    if (response.status === 503 && answer.code === "UNAVAILABLE") return;
    if (response.status === status && isTrue(answer)) return;
    untrue.push(`${method} ${path}: ${response.status} ${text}`);
  }

  async function askOn(request: Request): Promise<void> {
    while (!isOver) {
      await ask(request);
      await pass(PAUSE_MS);
    }
  }

  const asking = Promise.all(requests.map(askOn));
  asking.catch(() => {});
  return {
    async stop() {
      isOver = true;
      await asking;
      return { untrue, acknowledged };
    },
  };
}
