import { queryOptions } from "@tanstack/react-query";
import type { Scope } from "@yagate/protocol";
import { request } from "../api/request.ts";

/** The session of this browser, as the gateway describes it. */
export interface Session {
  readonly workspaceId: string;
  /** Null for the key of the gateway's configuration. */
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string;
  readonly idleSeconds: number;
  readonly version: string;
  readonly isDevelopment: boolean;
  readonly allowsSelfApproval: boolean;
}

const PATH = "console/session";

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => request<Session>(PATH, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Whether a query reads with the rights of the session, so that its data belongs to this session alone. */
export const isOfSession = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
  queryKey[0] !== sessionQuery.queryKey[0];

export const signIn = (credential: { readonly apiKey: string } | { readonly link: string }) =>
  request<Session>(PATH, { method: "POST", body: credential });

export const signOut = () => request<undefined>(PATH, { method: "DELETE" });

/** Returns the name of a key for people. */
export function keyName({ keyId, keyName: name }: Pick<Session, "keyId" | "keyName">): string {
  if (keyId === null) return "Bootstrap key";
  return name ?? keyId;
}

/**
 * Takes the secret of a one-time link out of the address, so that it stays in no history. Returns undefined if there is
 * none.
 */
export function takeLink(): string | undefined {
  const [, link] = /^#link=([\w-]+)$/.exec(location.hash) ?? [];
  if (link !== undefined) history.replaceState(history.state, "", location.pathname + location.search);
  return link;
}
