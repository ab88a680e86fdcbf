import { isLoopbackHost } from "@yagate/lib/hosts/loopback-host";
import { type FieldError, scopeSchema, workspaceIdSchema } from "@yagate/protocol";
import { DEFAULT_WORKSPACE_NAME } from "@yagate/secrets/workspaces";
import * as z from "zod";

const MAX_ISSUERS = 100;

/** The scope that `/mcp` needs. An access token has no other scope. */
export const MCP_SCOPE = "executions";

const issuerSchema = z
  .string()
  .max(2_048)
  .refine(isIssuer, "expected the URL of an issuer, such as https://login.example.com (http: only on localhost)");

const mcpIssuerSchema = z.strictObject({
  /** The URL of the issuer, exactly as in the claim `iss` of its tokens and in its metadata. */
  issuer: issuerSchema,
  /** The claim `aud` of its tokens: the URL of `/mcp` at `publicUrl`. */
  audience: z.string(),
  /** The workspace to which its tokens give access: `default` or an id. */
  workspace: z
    .string()
    .refine(
      (name) => name === DEFAULT_WORKSPACE_NAME || workspaceIdSchema.safeParse(name).success,
      "expected default or the id of a workspace, such as ws_01k9e5t8b8fxhv3c4n5p6q7r8s",
    ),
  /** The scopes of its tokens. `/mcp` uses only `executions`. */
  scopes: z
    .array(scopeSchema)
    .refine((scopes) => scopes.includes(MCP_SCOPE), `expected a list with ${MCP_SCOPE}, which /mcp needs`),
});

/** Authorization servers whose access tokens MCP hosts may use. */
export const mcpIssuersSchema = z
  .array(mcpIssuerSchema, 'expected a list such as [{"issuer":"https://…","audience":"https://…/mcp",…}]')
  .max(MAX_ISSUERS)
  .superRefine((issuers, context) => {
    for (const [index, { issuer }] of issuers.entries()) {
      const clash = issuers.slice(0, index).find((other) => areAlike(other.issuer, issuer));
      if (clash === undefined) continue;
      const message = "expected each issuer once, and no issuer that starts with another one followed by a colon";
      context.addIssue({ code: "custom", path: [index, "issuer"], message });
    }
  });

/** Whether records could confuse subjects of the two, because they name a subject `oidc:<issuer>:<sub>`. */
function areAlike(left: string, right: string): boolean {
  return left === right || left.startsWith(`${right}:`) || right.startsWith(`${left}:`);
}

/**
 * Returns the URL of `/mcp`, which is the audience of tokens. It is in the normal form, in which clients compare URLs
 * and which is valid in a header.
 *
 * @param publicUrl - a valid URL.
 */
export function mcpUrlOf(publicUrl: string): string {
  return `${new URL(publicUrl).href.replace(/\/+$/, "")}/mcp`;
}

const AUDIENCE_RULE =
  "expected the value of YAGATE_PUBLIC_URL followed by /mcp, with the host in lower-case ASCII and without the default port";

const audiencesSchema = z.looseObject({
  publicUrl: z.string().optional().catch(undefined),
  mcpIssuers: z
    .array(z.looseObject({ audience: z.string().optional().catch(undefined) }))
    .catch([])
    .default([]),
});

/** Returns the problems of the audiences, which depend on another setting. It accepts settings with other problems. */
export function audienceProblems(settings: unknown): readonly FieldError[] {
  const parsed = audiencesSchema.safeParse(settings);
  if (!parsed.success) return [];
  const { publicUrl, mcpIssuers } = parsed.data;
  return mcpIssuers.flatMap(({ audience }, index) => {
    const path = `mcpIssuers[${index}].audience`;
    if (audience === undefined) return [];
    if (publicUrl === undefined) {
      return [
        { path, code: "CUSTOM", message: "expected YAGATE_PUBLIC_URL to be set, because audiences start with it" },
      ];
    }
    // Another check reports a public URL that is not valid.
    if (!URL.canParse(publicUrl) || audience === mcpUrlOf(publicUrl)) return [];
    return [{ path, code: "CUSTOM", message: AUDIENCE_RULE }];
  });
}

/** Whether a string is a URL without credentials, query and fragment: https, or http with a loopback name. */
function isIssuer(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || /[?#]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}
