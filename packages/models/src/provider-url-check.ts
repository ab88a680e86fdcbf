import { EgressError, type EgressPolicy } from "@yagate/egress";
import { completePolicy, createGate } from "@yagate/egress/internal";
import { strictFamily } from "@yagate/lib/hosts/address-family";
import { keyDestinationProblem } from "./key-destination.ts";
import { isKnownProvider, providerNameProblem } from "./provider-names.ts";
import { type ProvidersSettings, providerProblems } from "./provider-settings.ts";
import { settingsOf } from "./settings-of.ts";

/** What is wrong with a workspace's provider; empty when nothing is. */
export type ProviderCheck = (
  name: string,
  baseUrl: string | undefined,
  secret: ProviderSecret,
) => Promise<readonly ProviderFinding[]>;

/** The secret that a provider names. */
export interface ProviderSecret {
  readonly name: string;
  /** Undefined where there is none of that name yet: it is held to its hosts when it is used. */
  readonly hosts: readonly string[] | undefined;
}

interface ProviderFinding {
  readonly path: "name" | "baseUrl";
  readonly code: "INVALID_NAME" | "INVALID_URL" | "URL_NOT_ALLOWED" | "SECRET_NOT_BOUND";
  readonly message: string;
}

export interface ProviderCheckOptions {
  /** The gateway's own, whose base URLs a workspace may use without writing one. */
  readonly providers: ProvidersSettings;
  /** That of the guard which requests to base URLs of workspaces go through. */
  readonly policy: EgressPolicy;
}

/**
 * Makes the check of a workspace's provider when it is set. No name is looked up: what it stands for may change until
 * the first request, and is judged then.
 */
export function createProviderCheck({ providers, policy }: ProviderCheckOptions): ProviderCheck {
  const gate = createGate(completePolicy(policy));

  async function urlProblem(baseUrl: string): Promise<string | undefined> {
    try {
      const destination = gate.parse(baseUrl);
      // An address needs no look-up, so it can be judged now.
      if (strictFamily(destination.hostname) !== 0) await gate.resolve(destination);
      return undefined;
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      return error.code === "DNS_BLOCKED" ? "expected an address that is public" : error.message;
    }
  }

  return async (name, baseUrl, secret) => {
    const nameProblem = providerNameProblem(name);
    if (nameProblem !== undefined) return [{ path: "name", code: "INVALID_NAME", message: nameProblem }];
    if (baseUrl === undefined) {
      if (isKnownProvider(name) || settingsOf(providers, name)?.baseUrl !== undefined) return [];
      const message = `expected a URL, since ${name} is no provider that the gateway knows`;
      return [{ path: "baseUrl", code: "INVALID_URL", message }];
    }
    const [problem] = providerProblems(name, { baseUrl });
    if (problem !== undefined) return [{ path: "baseUrl", code: "INVALID_URL", message: problem.message }];
    const message = await urlProblem(baseUrl);
    if (message !== undefined) return [{ path: "baseUrl", code: "URL_NOT_ALLOWED", message }];
    if (secret.hosts === undefined) return [];
    const destination = { provider: name, secretName: secret.name, hosts: secret.hosts, url: baseUrl };
    const unbound = keyDestinationProblem({ ...destination, isWorkspaceUrl: true });
    return unbound === undefined ? [] : [{ path: "baseUrl", code: "SECRET_NOT_BOUND", message: unbound }];
  };
}
