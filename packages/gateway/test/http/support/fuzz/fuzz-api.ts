import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { createAnswerCheck } from "../answer-check.ts";
import { type ApiCaller, mediaTypeOf, readBody } from "../api-caller.ts";
import { type ApiDocument, type Operation, readDocument } from "../operations.ts";
import { createDraw, pick } from "./draw.ts";
import { createKnownIds } from "./known-ids.ts";
import { type FuzzedRequest, fuzzRequest } from "./requests.ts";

export interface FuzzRun {
  readonly requests: number;
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Operations that answered with a success at least once. */
  readonly succeeded: readonly string[];
  /** Answers that the document does not describe; each with its request. */
  readonly violations: readonly string[];
}

export interface FuzzOptions {
  readonly url: string;
  readonly requests: number;
  readonly seed: number;
  /** Sent now and then in place of the bootstrap key; null: none. */
  readonly keys: readonly (string | null)[];
  /** What exists already. */
  readonly known: readonly unknown[];
  /** Names of operations that would end the run. */
  readonly without?: ReadonlySet<string>;
}

/** Makes requests from the document that a gateway serves, and holds each answer against it. */
export async function fuzzApi(api: ApiCaller, options: FuzzOptions): Promise<FuzzRun> {
  const { url, requests, seed, keys, known, without = new Set() } = options;
  const document = readDocument(await (await fetch(`${url}/openapi.json`)).json());
  const operations = document.operations.filter(({ name }) => !without.has(name));
  const judge = createJudge(document);
  const ids = createKnownIds();
  for (const body of known) ids.learn(body);
  const statuses: Record<string, number> = {};
  const succeeded = new Set<string>();
  const violations: string[] = [];
  for (let index = 0; index < requests; index += 1) {
    const draw = createDraw(seed + index);
    // Each in turn at first, so that a short run has asked for everything once.
    const operation = operations[index] ?? pick(draw, operations);
    const request = fuzzRequest(operation, keys, { draw, schemas: document.schemas, ids });
    const response = await api.open(operation.name, request.call);
    const answer = { status: response.status, type: mediaTypeOf(response), body: await bodyOf(response) };
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    if (response.ok) {
      succeeded.add(operation.name);
      if (answer.type === "application/json") ids.learn(answer.body);
    }
    const violation = judge(operation, request, answer);
    if (violation === undefined) continue;
    violations.push(`seed ${seed + index}: ${violation}\n  ${JSON.stringify(request.call).slice(0, 600)}`);
  }
  return { requests, statuses, succeeded: [...succeeded].toSorted(), violations };
}

interface FuzzAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

type Judge = (operation: Operation, request: FuzzedRequest, answer: FuzzAnswer) => string | undefined;

function createJudge(document: ApiDocument): Judge {
  const answers = createAnswerCheck(document);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "api", components: { schemas: document.schemas } });
  const bodies = new Map<string, ValidateFunction>();

  function isAllowed({ name, requestSchema }: Operation, sent: unknown): boolean {
    const text = JSON.stringify(requestSchema ?? {}).replaceAll('"#/components/', '"api#/components/');
    const validate = bodies.get(name) ?? ajv.compile(JSON.parse(text));
    bodies.set(name, validate);
    return validate(sent);
  }

  return (operation, request, answer) => {
    const { status, type, body } = answer;
    if (status >= 500) return `${operation.name}: ${status} ${JSON.stringify(body)}`;
    if (status < 300 && "sent" in request && !isAllowed(operation, request.sent)) {
      return `${operation.name}: ${status} to a body that its schema refuses`;
    }
    try {
      if (type === "text/event-stream" && Array.isArray(body)) {
        for (const event of body) answers.checkEvent(operation, event);
      } else answers.check(operation, answer);
      return undefined;
    } catch (error) {
      return String(error);
    }
  };
}

async function bodyOf(response: Response): Promise<unknown> {
  return mediaTypeOf(response) === "text/event-stream" ? eventsOf(response) : readBody(response);
}

/** The events of the first portions of a stream. One that waits for a person has no end, and nothing more to say. */
async function eventsOf({ body }: Response): Promise<readonly unknown[]> {
  if (body === null) return [];
  const decoder = new TextDecoder();
  let text = "";
  const reader = body.getReader();
  while (!text.includes("\n\ndata:") && !text.includes("\ndata:")) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    if (text.startsWith("retry:") && text.endsWith("\n\n")) break;
  }
  await reader.cancel();
  const whole = text.slice(0, text.lastIndexOf("\n\n") + 1);
  return [...whole.matchAll(/^data: ?(.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
}
