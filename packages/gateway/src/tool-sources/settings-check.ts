import type { FieldError, OpenApiSourceSettings, ToolSourceSettings } from "@yagate/protocol";
import type { SecretUse } from "@yagate/secrets/workspace-secrets";
import { InvalidRequestError } from "../errors/request-errors.ts";
import { type AuthLookups, authErrors, secretErrors } from "./auth-errors.ts";

/** Checks settings. @throws InvalidRequestError. */
export type AssertSettings = (workspaceId: string, settings: ToolSourceSettings) => Promise<void>;

export interface SettingsCheckOptions {
  readonly urlProblem: (workspaceId: string, url: string) => Promise<string | undefined>;
  readonly hasSigningSecret: (workspaceId: string, name: string) => Promise<boolean>;
  readonly findSecret: (workspaceId: string, name: string) => Promise<SecretUse | undefined>;
}

/** Creates the check of what the form of settings does not guarantee. */
export function createSettingsCheck({
  urlProblem,
  hasSigningSecret,
  findSecret,
}: SettingsCheckOptions): AssertSettings {
  async function errorsOf(workspaceId: string, settings: ToolSourceSettings): Promise<readonly FieldError[]> {
    const lookups: AuthLookups = {
      findSecret: (name) => findSecret(workspaceId, name),
      urlProblem: (url) => urlProblem(workspaceId, url),
    };
    if (settings.kind === "mcp") return authErrors(settings, lookups);
    if (settings.kind === "openapi") return openApiErrors(settings, lookups);
    const { signingSecret } = settings;
    if (await hasSigningSecret(workspaceId, signingSecret)) return [];
    const message = `expected a signing secret of the workspace; ${signingSecret} does not exist: create it with POST /v1/signing-secrets/rotate, or omit the field to use default, which handlers read from YAGATE_SIGNING_SECRET`;
    return [{ path: "signingSecret", code: "UNKNOWN_SIGNING_SECRET", message }];
  }

  return async (workspaceId, settings) => {
    const problem = settings.url === null ? undefined : await urlProblem(workspaceId, settings.url);
    const urlErrors = problem === undefined ? [] : [{ path: "url", code: "URL_NOT_ALLOWED", message: problem }];
    const errors = [...urlErrors, ...(await errorsOf(workspaceId, settings))];
    if (errors.length > 0) throw new InvalidRequestError(errors);
  };
}

async function openApiErrors(settings: OpenApiSourceSettings, lookups: AuthLookups): Promise<readonly FieldError[]> {
  const { url, auth, credential, credentials, onChange } = settings;
  const errors: FieldError[] = [];
  if (onChange === "accept") {
    const message = "expected hold or additive: only the tools of a handler can be accepted without a person";
    errors.push({ path: "onChange", code: "ON_CHANGE_NOT_ALLOWED", message });
  }
  const ofSchemes = Object.entries(credentials).map(([scheme, name]) => [`credentials.${scheme}`, name] as const);
  for (const [path, name] of [...(credential === null ? [] : [["credential", credential] as const]), ...ofSchemes]) {
    // The operations decide to which hosts the secret is sent.
    errors.push(...(await secretErrors(path, name, undefined, lookups.findSecret)));
  }
  if (url !== null) return [...errors, ...(await authErrors({ url, auth }, lookups))];
  if (auth === null) return errors;
  const message = "expected null: an uploaded document is not fetched";
  return [...errors, { path: "auth", code: "EXPECTED_URL", message }];
}
