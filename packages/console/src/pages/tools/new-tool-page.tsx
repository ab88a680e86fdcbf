import { useNavigate, useSearch } from "@tanstack/react-router";
import { useLive } from "../../live/live.ts";
import { LiveMark } from "../../parts/blocks.tsx";
import controls from "../../parts/controls.module.css";
import { PageHead } from "../../shell/page-head.tsx";
import { NewSource } from "./new-source.tsx";
import { ToolEditor } from "./tool-editor.tsx";
import css from "./tools.module.css";

const CRUMB = { path: "/tools", name: "Tools" };
const parameters = {
  type: "object",
  properties: { orderId: { type: "string", description: "Such as ORD-12345" } },
  required: ["orderId"],
};
const STARTS: Readonly<Record<string, unknown>> = {
  rest: {
    rest: {
      name: "lookup_order",
      description: "Look up an order by its id.",
      method: "GET",
      url: "https://api.example.com/orders/{orderId}",
      parameters: [{ name: "orderId", in: "path", type: "string", description: "Such as ORD-12345", required: true }],
    },
  },
  handler: {
    name: "lookup_order",
    description: "Look up an order by its id.",
    parameters,
    handler: "https://tools.example.com/tools",
    sideEffect: "read_only",
  },
};
const KINDS = [
  ["rest", "HTTP API"],
  ["handler", "Handler"],
  ["source", "Source"],
  ["openapi", "OpenAPI document"],
] as const;

/** Makes a tool, or a source that publishes several. */
export function NewToolPage() {
  const search = useSearch({ from: "/tools/new" });
  const navigate = useNavigate({ from: "/tools/new" });
  const live = useLive(() => undefined);
  const [kind] = KINDS.find(([name]) => name === search["kind"]) ?? KINDS[0];
  return (
    <>
      <PageHead title="New tool" crumb={CRUMB} meta={<LiveMark state={live} />} />
      <div className={css["kinds"]}>
        <div className={controls["segments"]} role="group" aria-label="Kind">
          {KINDS.map(([name, word]) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === kind}
              onClick={() => navigate({ search: { kind: name === "rest" ? undefined : name } })}
            >
              {word}
            </button>
          ))}
        </div>
      </div>
      <div data-state="ready">
        {kind === "source" || kind === "openapi" ? (
          <NewSource key={kind} isDocument={kind === "openapi"} />
        ) : (
          <ToolEditor key={kind} start={STARTS[kind]} />
        )}
      </div>
    </>
  );
}
