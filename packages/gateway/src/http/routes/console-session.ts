import type { Scope } from "@yagate/protocol";
import { YagateError } from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import * as z from "zod";
import type { ConsoleAccess } from "../../console/console-access.ts";
import { type ConsoleSessions, IDLE_MS, SESSION_MS } from "../../console/console-sessions.ts";
import { setCookieOf } from "../../console/own-origins.ts";
import { defineRoute, type Route } from "../route.ts";

const TAG = "operations";
const MAX_LENGTH = 512;
const MAX_BODY_BYTES = 4_096;

const secretSchema = z.string().min(1).max(MAX_LENGTH);
const signInSchema = z.union([z.strictObject({ apiKey: secretSchema }), z.strictObject({ link: secretSchema })]);

/** What the console shows of its own gateway. */
export interface ConsoleFacts {
  readonly version: string;
  /** Whether it is a gateway for the development of handlers. */
  readonly isDevelopment: boolean;
  /** Whether a key may approve calls of executions that it started itself. */
  readonly allowsSelfApproval: boolean;
}

export interface ConsoleRouteParts {
  readonly sessions: ConsoleSessions;
  readonly access: ConsoleAccess;
  readonly facts: ConsoleFacts;
}

/** The routes with which the console's page signs in and out. Only the page uses them, so no document describes them. */
export function consoleSessionRoutes({ sessions, access, facts }: ConsoleRouteParts): readonly Route[] {
  const route = { path: "/console/session", tag: TAG, scopes: null, isUndocumented: true, response: null } as const;
  return [
    defineRoute({
      ...route,
      name: "startConsoleSession",
      method: "post",
      summary: "Sign in to the console",
      body: signInSchema,
      maxBodyBytes: MAX_BODY_BYTES,
      status: 201,
      async handle({ body, response, endRequestsOf }) {
        const request = response.req;
        const own = access.originOf(request);
        const replaced = access.tokenOf(request);
        const { token, principal } = await sessions.start(body, replaced);
        if (replaced !== undefined) endRequestsOf(access.credentialOf(replaced));
        const cookie = setCookieOf(own, token, SESSION_MS / 1_000);
        return { status: 201, body: toView(principal, facts), headers: { "Set-Cookie": cookie } };
      },
    }),
    defineRoute({
      ...route,
      name: "getConsoleSession",
      method: "get",
      summary: "Get the session of this browser",
      status: 200,
      async handle({ response }) {
        const visit = await access.admit(response.req);
        if (visit === undefined) throw new YagateError("UNAUTHENTICATED", "this browser is not signed in");
        return { status: 200, body: toView(visit.principal, facts), headers: { Vary: "Cookie" } };
      },
    }),
    defineRoute({
      ...route,
      name: "endConsoleSession",
      method: "delete",
      summary: "Sign out of the console",
      status: 204,
      async handle({ response, endRequestsOf }) {
        const own = access.originOf(response.req);
        const token = access.tokenOf(response.req);
        if (token !== undefined) {
          await sessions.end(token);
          endRequestsOf(access.credentialOf(token));
        }
        return { status: 204, headers: { "Set-Cookie": setCookieOf(own, "", 0), "Clear-Site-Data": '"cache"' } };
      },
    }),
  ];
}

/** The session as the page sees it. */
interface SessionView extends ConsoleFacts {
  readonly workspaceId: string;
  /** Null for the key of the configuration. */
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string;
  readonly idleSeconds: number;
}

function toView({ workspaceId, keyId, keyName, scopes, expiresAt = 0 }: Principal, facts: ConsoleFacts): SessionView {
  return {
    ...{ workspaceId, keyId, keyName: keyName ?? null, scopes: [...scopes] },
    ...{ expiresAt: new Date(expiresAt).toISOString(), idleSeconds: IDLE_MS / 1_000 },
    ...facts,
  };
}
