import { withoutTrailingDot } from "@yagate/lib/hosts/host-name";

/** Returns the host of an http or https URL, without a trailing dot; `undefined` for other URLs. */
export function hostOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  return withoutTrailingDot(parsed.hostname);
}
