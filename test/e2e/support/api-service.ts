import express, { type Response } from "express";
import { listen } from "./services.ts";

/** A request that reached a service. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Somebody else's API, which knows nothing of Yagate: any method, any path. */
export interface ApiService {
  /** Without a path. */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ApiRequest[];
}

/** What an integration and a secret name to reach an {@link ApiService}. */
export const API_HOST = "127.0.0.1";

export async function startApiService(answer: (request: ApiRequest, response: Response) => void): Promise<ApiService> {
  const requests: ApiRequest[] = [];
  const app = express();
  app.use(express.text({ type: () => true, limit: "2mb" }), (request, response) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const body = typeof request.body === "string" ? request.body : "";
    const seen = { method: request.method, url: request.originalUrl, headers, body };
    requests.push(seen);
    answer(seen, response);
  });
  const url = await listen(app);
  return { url, port: Number(new URL(url).port), requests };
}
