import type { AuthorizationResponse } from "@yagate/mcp/oauth/sign-in";
import { type StartedLogin, type ToolSource, YagateError } from "@yagate/protocol";
import type { ToolSourceRow, ToolSourceStore } from "@yagate/store/port";
import type { OAuthSource } from "../mcp-oauth/oauth-source.ts";
import type { CallbackOutcome, SignIns } from "../mcp-oauth/sign-ins.ts";
import type { SourceRequest, ToolSources } from "./tool-source-service.ts";

/** A request of the API key that signs in. */
export interface LoginRequest extends SourceRequest {
  readonly keyId: string | null;
  /** The console session of the request; undefined for other credentials. */
  readonly sessionId: string | undefined;
}

/** Sign-ins to tool sources through the API. */
export interface SourceLogins {
  /** @throws YagateError `NOT_FOUND`; `CONFLICT` if a person cannot sign in to the source; and those of `SignIns.start`. */
  start(workspaceId: string, sourceId: string, request: LoginRequest): Promise<StartedLogin>;
  /**
   * Stores the tokens of a sign-in, then syncs the source. If the sync fails, the source's status has the reason.
   * @throws YagateError `NOT_FOUND`; and those of `SignIns.confirm`.
   */
  confirm(
    workspaceId: string,
    sourceId: string,
    code: string,
    request: Omit<LoginRequest, "sessionId">,
  ): Promise<ToolSource>;
  /**
   * Handles the issuer's response, which a browser brings. If the browser's console session started the sign-in, this
   * also confirms it.
   */
  receive(state: string, response: AuthorizationResponse, request: LoginRequest): Promise<LoginOutcome>;
}

/** What the browser shows after the issuer has sent it back. */
export type LoginOutcome = Exclude<CallbackOutcome, { readonly kind: "proven" }> | { readonly kind: "signed-in" };

export interface SourceLoginsOptions {
  readonly store: Pick<ToolSourceStore, "find">;
  readonly signIns: Pick<SignIns, "start" | "confirm" | "receive">;
  readonly sources: Pick<ToolSources, "resync">;
  /** Called with the reason why a sign-in could not be confirmed in the browser. */
  readonly onFailure: (error: unknown, sourceId: string) => void;
}

export function createSourceLogins({ store, signIns, sources, onFailure }: SourceLoginsOptions): SourceLogins {
  async function find(workspaceId: string, sourceId: string): Promise<ToolSourceRow> {
    const source = await store.find(workspaceId, sourceId);
    if (source === undefined) throw new YagateError("NOT_FOUND", "no tool source with this id in this workspace");
    return source;
  }

  const confirm: SourceLogins["confirm"] = async (workspaceId, sourceId, code, { keyId, recorder, signal }) => {
    const { name } = await find(workspaceId, sourceId);
    await signIns.confirm({ workspaceId, sourceId, name }, { keyId, code, recorder });
    return sources.resync(workspaceId, sourceId, { recorder, signal });
  };

  return {
    confirm,
    async start(workspaceId, sourceId, { keyId, sessionId, signal }) {
      return signIns.start(toOAuthSource(await find(workspaceId, sourceId)), { keyId, sessionId }, signal);
    },
    async receive(state, response, request) {
      const outcome = await signIns.receive(state, response, request);
      if (outcome.kind !== "proven") return outcome;
      const { workspaceId, sourceId, code } = outcome;
      try {
        await confirm(workspaceId, sourceId, code, request);
        return { kind: "signed-in" };
      } catch (error) {
        onFailure(error, sourceId);
        return { kind: "failed" };
      }
    },
  };
}

function toOAuthSource({ id: sourceId, workspaceId, settings }: ToolSourceRow): OAuthSource {
  const { url, auth } = settings.kind === "mcp" ? settings : { url: null, auth: null };
  if (url === null || auth === null || !("oauth" in auth) || auth.oauth.grant !== "authorization_code") {
    throw new YagateError("CONFLICT", "a person cannot sign in to this tool source", {
      hint: "set auth.oauth with the issuer of the MCP server",
    });
  }
  return { workspaceId, sourceId, url, oauth: auth.oauth };
}
