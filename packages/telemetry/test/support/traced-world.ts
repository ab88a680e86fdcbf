import { createServer } from "node:http";
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { listenOnLoopback } from "../../../../test/services/listen-on-loopback.ts";
import { spanIdGenerator } from "../../src/span-ids.ts";

/** What an application gives the gateway to write spans with, and what was written. */
export interface Recorder {
  readonly provider: TracerProvider;
  /** Resolves once a span of this name was written, and as many as `count` of it. */
  spans(name: string, count?: number): Promise<readonly ReadableSpan[]>;
  all(): readonly ReadableSpan[];
}

type ProviderOptions = ConstructorParameters<typeof TracerProvider>[0];

export function createRecorder(options: ProviderOptions = {}): Recorder {
  const exporter = new InMemorySpanExporter();
  const listeners = new Set<() => void>();
  const told = {
    onStart() {},
    onEnd: () => {
      for (const listener of listeners) listener();
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const provider = new TracerProvider({
    idGenerator: spanIdGenerator,
    spanProcessors: [new SimpleSpanProcessor({ exporter }), told],
    ...options,
  });
  const all = () => exporter.getFinishedSpans();
  return {
    provider,
    all,
    spans: (name, count = 1) =>
      new Promise((resolve) => {
        const look = () => {
          const found = all().filter((span) => span.name === name);
          if (found.length < count) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
  };
}

/** The only span of a name. */
export function only(spans: readonly ReadableSpan[], name: string): ReadableSpan {
  const [span, ...others] = spans.filter((one) => one.name === name);
  if (span === undefined || others.length > 0) throw new Error(`expected one span ${name}, found ${others.length + 1}`);
  return span;
}

/** A handler that remembers the headers of its calls. */
export interface ListeningHandler {
  readonly url: string;
  readonly headers: readonly Readonly<Record<string, string | string[] | undefined>>[];
  called(count: number): Promise<void>;
  release(): void;
}

/** @param statuses - of the answers, in order; the last one again and again. */
export async function startListeningHandler(
  statuses: readonly number[] = [200],
  { isHeld = false, body = { result: "shipped" } as unknown } = {},
): Promise<ListeningHandler> {
  const headers: ListeningHandler["headers"][number][] = [];
  const waiting: (() => void)[] = [];
  const listeners = new Set<() => void>();
  let holds = isHeld;
  const server = createServer((request, response) => {
    request.resume();
    const status = statuses[Math.min(headers.length, statuses.length - 1)] ?? 200;
    headers.push(request.headers);
    const answer = () => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(status === 200 ? JSON.stringify(body) : "");
    };
    if (holds) waiting.push(answer);
    else answer();
    for (const listener of listeners) listener();
  });
  const origin = await listenOnLoopback(server);
  return {
    url: `${origin}/tools?key=planted-in-query`,
    headers,
    called: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (headers.length < count) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
    release() {
      holds = false;
      for (const answer of waiting.splice(0)) answer();
    },
  };
}
