import { EgressError, type EgressPolicy } from "@yagate/egress";
import { completePolicy, createGate } from "@yagate/egress/internal";
import { strictFamily } from "@yagate/lib/hosts/address-family";
import { keyDestinationProblem } from "./key-destination.ts";
import { isKnownProvider, providerNameProblem } from "./provider-names.ts";
import { type ProvidersSettings, providerProblems } from "./provider-settings.ts";
import { settingsOf } from "./settings-of.ts";

/** Returns the problems with a workspace's provider; empty if there are none. */
export type ProviderCheck = (
  name: string,
  baseUrl: string | undefined,
  secret: ProviderSecret,
) => Promise<readonly ProviderFinding[]>;

/** The secret that a provider uses. */
export interface ProviderSecret {
  readonly name: string;
  /**
   * The hosts that may receive the secret. Undefined if no secret with this name exists yet; the hosts are then checked
   * when the secret is used.
   */
  readonly hosts: readonly string[] | undefined;
}

interface ProviderFinding {
  readonly path: "name" | "baseUrl";
  readonly code: "INVALID_NAME" | "INVALID_URL" | "URL_NOT_ALLOWED" | "SECRET_NOT_BOUND";
  readonly message: string;
}

export interface ProviderCheckOptions {
  /** The operator's providers. A workspace that sets no URL uses their base URLs. */
  readonly providers: ProvidersSettings;
  /** The egress policy for base URLs that a workspace sets. */
  readonly policy: EgressPolicy;
}

/**
 * Creates the check for a provider that a workspace sets. The check does not resolve host names, because their
 * addresses may change: they are checked with each request.
 */
export function createProviderCheck({ providers, policy }: ProviderCheckOptions): ProviderCheck {
  const gate = createGate(completePolicy(policy));

  async function urlProblem(baseUrl: string): Promise<string | undefined> {
    try {
      const destination = gate.parse(baseUrl);
      // An IP address needs no name resolution, so it can be checked now.
      if (strictFamily(destination.hostname) !== 0) await gate.resolve(destination);
      return undefined;
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      return error.code === "DNS_BLOCKED" ? "expected a public address" : error.message;
    }
  }

  return async (name, baseUrl, secret) => {
    const nameProblem = providerNameProblem(name);
    if (nameProblem !== undefined) return [{ path: "name", code: "INVALID_NAME", message: nameProblem }];
    if (baseUrl === undefined) {
      if (isKnownProvider(name) || settingsOf(providers, name)?.baseUrl !== undefined) return [];
      const message = `expected a URL, because ${name} is not a provider that the gateway knows`;
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
