import { request } from "node:http";

/** What a browser's fetch metadata and cookies look like to a server. */
export interface BrowserRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

export interface BrowserResponse {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
  /** The value of the session's cookie that the response sets. */
  readonly cookie: string | undefined;
}

/** Sends the headers that a browser sends by itself, which `fetch` does not let a program set. */
export function sendAs(
  url: string,
  { method = "GET", path, headers = {}, body }: BrowserRequest,
): Promise<BrowserResponse> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const sent = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined);
  if (text !== undefined) sent.push(["Content-Type", "application/json"]);
  const { promise, resolve, reject } = Promise.withResolvers<BrowserResponse>();
  const outgoing = request(new URL(path, url), { method, headers: Object.fromEntries(sent) }, (response) => {
    let received = "";
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => {
      received += chunk;
    });
    response.on("end", () => {
      const [setCookie] = response.headers["set-cookie"] ?? [];
      const cookie = setCookie?.split(";", 1)[0];
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received, cookie });
    });
    response.on("error", reject);
  });
  outgoing.on("error", reject);
  outgoing.end(text);
  return promise;
}

/** The console's own page in a browser. */
export function createPage(url: string, origin = url) {
  const own = { Origin: origin, "Sec-Fetch-Site": "same-origin" };
  return {
    own,
    signIn: (body: unknown, headers: BrowserRequest["headers"] = {}) =>
      sendAs(url, { method: "POST", path: "/console/session", body, headers: { ...own, ...headers } }),
    get: (path: string, cookie: string | undefined, headers: BrowserRequest["headers"] = {}) =>
      sendAs(url, { path, headers: { "Sec-Fetch-Site": "same-origin", Cookie: cookie, ...headers } }),
    send: (request: BrowserRequest, cookie: string | undefined) =>
      sendAs(url, { ...request, headers: { ...own, Cookie: cookie, ...request.headers } }),
  };
}
