import type { JsonValue } from "@yagate/protocol";

/** One request that the model layer made. */
export interface RecordedRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly body: JsonValue;
}

/** A fetch that keeps what was asked, and takes requests for one origin to another. */
export function recordingFetch(reroute?: { readonly from: string; readonly to: string }) {
  const requests: RecordedRequest[] = [];
  const recording: typeof fetch = async (input, init) => {
    const url = String(input);
    requests.push({ url, headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) });
    return fetch(reroute === undefined ? url : url.replace(reroute.from, reroute.to), init);
  };
  return { fetch: recording, requests };
}
