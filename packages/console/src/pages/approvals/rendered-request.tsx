import type { ApprovalRequest } from "@yagate/protocol";
import { toJsonText } from "../../parts/json-block.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import css from "./approvals.module.css";

/** Splits a URL around its host. The gateway sends hosts in punycode, so they cannot imitate others. */
function aroundHost(url: string): readonly [string, string, string] {
  const [, before = "", host = "", after = ""] = /^([a-z]+:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return host === "" ? ["", "", url] : [before, host, after];
}

/** The request as it would be sent, byte for byte but for what is generated then. It wraps, and is never cut. */
export function RenderedRequest({ request }: { readonly request: ApprovalRequest }) {
  const { method, url, headers, body } = request;
  const [before, host, after] = aroundHost(url);
  return (
    <div className={css["request"]} role="region" aria-label="Request" tabIndex={0}>
      <span className={css["strong"]}>{method}</span> {before}
      <span className={css["strong"]}>
        <VisibleText text={host} />
      </span>
      <VisibleText text={after} most={Number.POSITIVE_INFINITY} />
      {"\n"}
      {Object.entries(headers).map(([name, value]) => (
        <span key={name}>
          {name}: <VisibleText text={value} most={Number.POSITIVE_INFINITY} />
          {"\n"}
        </span>
      ))}
      {body !== "" && (
        <>
          {"\n"}
          <VisibleText text={toJsonText(body)} most={Number.POSITIVE_INFINITY} />
        </>
      )}
    </div>
  );
}
