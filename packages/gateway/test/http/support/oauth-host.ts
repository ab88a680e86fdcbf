import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { expect, onTestFinished } from "vitest";
import type { AuthorizationServer } from "../../../../../test/services/authorization-server.ts";

/** Connects the official client to `/mcp`: it finds the issuer, registers, and a person signs in. */
export async function signInHost(url: string, authorization: Pick<AuthorizationServer, "consent">) {
  let client: OAuthClientInformationMixed | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = "";
  let page: URL | undefined;
  const redirectUrl = "http://127.0.0.1:9/callback";
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: "host", redirect_uris: [redirectUrl] },
    clientInformation: () => client,
    saveClientInformation(information) {
      client = information;
    },
    tokens: () => tokens,
    saveTokens(saved) {
      tokens = saved;
    },
    codeVerifier: () => verifier,
    saveCodeVerifier(made) {
      verifier = made;
    },
    redirectToAuthorization(target) {
      page = target;
    },
  };
  const open = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider });

  const first = open();
  await expect(new Client({ name: "host", version: "1" }).connect(first)).rejects.toThrow(UnauthorizedError);
  const { searchParams } = await authorization.consent(String(page));
  await first.finishAuth(searchParams);

  const host = new Client({ name: "host", version: "1" });
  await host.connect(open());
  onTestFinished(() => host.close());
  return { host, token: tokens?.access_token ?? "" };
}
