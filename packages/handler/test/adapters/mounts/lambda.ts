import type http from "node:http";
import { buffer } from "node:stream/consumers";
import type { CallHandler } from "../../../src/index.ts";
import { type LambdaEvent, toLambda } from "../../../src/lambda.ts";
import type { Adapter } from "../adapter.ts";
import { mountServer } from "../mount-server.ts";

/** What stands before a function: it turns a request into an event as that service documents it. */
interface Front {
  readonly name: string;
  /** Whether it hands over every body in base64, as for binary media types; else text as UTF-8. */
  readonly isBase64Encoded: boolean;
  toEvent(request: http.IncomingMessage): LambdaEvent;
}

const fronts: readonly Front[] = [
  {
    name: "a REST API",
    isBase64Encoded: false,
    toEvent: (request) => ({
      httpMethod: request.method,
      headers: lastValues(request),
      multiValueHeaders: allValues(request),
      requestContext: {},
    }),
  },
  {
    name: "an HTTP API with payload format 2.0",
    isBase64Encoded: false,
    toEvent: joinedEvent,
  },
  { name: "a function URL", isBase64Encoded: true, toEvent: joinedEvent },
  {
    name: "a load balancer",
    isBase64Encoded: false,
    toEvent: (request) => ({ ...loadBalanced(request), headers: lastValues(request) }),
  },
  {
    name: "a load balancer with multi-value headers",
    isBase64Encoded: true,
    toEvent: (request) => ({ ...loadBalanced(request), multiValueHeaders: allValues(request) }),
  },
];

function joinedEvent(request: http.IncomingMessage): LambdaEvent {
  const joined = Object.entries(allValues(request)).map(([name, values]) => [name, values.join(",")]);
  return { headers: Object.fromEntries(joined), requestContext: { http: { method: request.method ?? "" } } };
}

function loadBalanced({ method }: http.IncomingMessage) {
  const requestContext = { elb: { targetGroupArn: "arn:aws:elasticloadbalancing:eu-west-1:0:targetgroup/t/0" } };
  return { httpMethod: method, requestContext };
}

function allValues({ rawHeaders }: http.IncomingMessage): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  rawHeaders.forEach((text, index) => {
    const name = (rawHeaders[index - 1] ?? "").toLowerCase();
    if (index % 2 === 1) headers[name] = [...(headers[name] ?? []), text];
  });
  return headers;
}

function lastValues(request: http.IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(allValues(request)).map(([name, values]) => [name, values.at(-1) ?? ""]));
}

function lambdaBehind({ isBase64Encoded, toEvent }: Front, handler: CallHandler): http.RequestListener {
  const invoke = toLambda(handler);
  return async (request, response) => {
    try {
      const bytes = await buffer(request);
      // These services answer HEAD from what the function says, and send no body.
      const body = bytes.length === 0 ? null : bytes.toString(isBase64Encoded ? "base64" : "utf8");
      const result = await invoke({ ...toEvent(request), body, isBase64Encoded });
      response.writeHead(result.statusCode, result.multiValueHeaders ?? result.headers);
      response.end(result.body);
    } catch {
      response.destroy();
    }
  };
}

export const lambdaAdapters: readonly Adapter[] = fronts.map((front) => ({
  name: `Lambda behind ${front.name}`,
  leavingUnseen: "a function is not told",
  mount: (handler) => mountServer(lambdaBehind(front, handler)),
}));
