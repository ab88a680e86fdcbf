import { createAnswerCheck } from "./answer-check.ts";
import { type Operation, readDocument } from "./operations.ts";

export interface Call {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON; text and bytes are sent as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null: no key at all; default the bootstrap key. */
  readonly key?: string | null;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface ApiCaller {
  readonly operations: readonly Operation[];
  operation(name: string): Operation;
  /** Calls an operation and reads its answer, which must be as the document says. */
  call(name: string, call?: Call): Promise<Answer>;
  /** The same without reading: for streams. */
  open(name: string, call?: Call): Promise<Response>;
}

/** The document follows from the routes alone, which all gateways have: making and compiling it takes longer than a start. */
let described: ReturnType<typeof describeApi> | undefined;

async function describeApi(url: string) {
  const document = readDocument(await (await fetch(`${url}/openapi.json`)).json());
  return { document, check: createAnswerCheck(document) };
}

export async function createApiCaller(url: string, defaultKey: string): Promise<ApiCaller> {
  described ??= describeApi(url);
  const { document, check } = await described;

  function operation(name: string): Operation {
    const found = document.operations.find((one) => one.name === name);
    if (found === undefined) throw new Error(`expected an operation ${name}`);
    return found;
  }

  function open(name: string, call: Call = {}): Promise<Response> {
    const { method, path } = operation(name);
    const { params = {}, query, body, headers, key = defaultKey, signal } = call;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? "none"));
    const search = query === undefined ? "" : `?${new URLSearchParams(query)}`;
    const isRaw = typeof body === "string" || body instanceof Uint8Array;
    return fetch(`${url}${filled}${search}`, {
      method: method.toUpperCase(),
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  return {
    operations: document.operations,
    operation,
    open,
    async call(name, call) {
      const response = await open(name, call);
      const type = mediaTypeOf(response);
      const body = await readBody(response);
      check.check(operation(name), { status: response.status, type, body });
      return { status: response.status, headers: response.headers, body };
    },
  };
}

export function mediaTypeOf(response: Response): string {
  return response.headers.get("content-type")?.split(";", 1)[0] ?? "";
}

/** JSON as a value, other types as text; undefined for a response without type and body. */
export async function readBody(response: Response): Promise<unknown> {
  const type = mediaTypeOf(response);
  const text = await response.text();
  if (type === "application/json" || type === "application/problem+json") return JSON.parse(text);
  return type === "" && text === "" ? undefined : text;
}
