import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Endpoint } from "@yagate/protocol";
import { enableEndpoint, isInTrouble, listEndpoints, troubleOf } from "../../api/endpoints.ts";
import { DERIVED_AFTER_MS, useLive } from "../../live/live.ts";
import { EmptyBlock, ErrorBlock, Facts, LiveMark } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { formatCount, formatDuration, NONE } from "../../parts/numbers.ts";
import { Section } from "../../parts/section.tsx";
import { Status } from "../../parts/status.tsx";
import text from "../../parts/text.module.css";
import { PageHead } from "../../shell/page-head.tsx";
import { useRowKeys } from "../../shell/row-keys.ts";
import { type HandlerTraffic, readTraffic } from "./handler-traffic.ts";
import { Sparkline } from "./sparkline.tsx";

const PACE_MS = 5_000;

/** The URLs of handlers that were called, and whether they respond. */
export function HandlersPage() {
  const { row, show } = useSearch({ from: "/handlers" });
  const navigate = useNavigate({ from: "/handlers" });
  const list = useQuery({ queryKey: ["endpoints"], queryFn: ({ signal }) => listEndpoints(signal) });
  const traffic = useQuery({ queryKey: ["endpoints", "traffic"], queryFn: ({ signal }) => readTraffic(signal) });
  const read = () => Promise.all([list.refetch(), traffic.refetch()]);
  const live = useLive(() => void read(), PACE_MS, DERIVED_AFTER_MS);
  const all = list.data ?? [];
  const rows = show === "trouble" ? all.filter(isInTrouble) : all;
  const select = (id: string | undefined) =>
    navigate({ search: (before) => ({ ...before, row: id === row ? undefined : id }), replace: true });
  useRowKeys({ rows: rows.map(({ id }) => id), selected: row, select });
  const chosen = all.find(({ id }) => id === row);
  return (
    <>
      <PageHead
        title="Handlers"
        meta={
          <>
            <LiveMark state={live} />
            {list.isSuccess && <span>{formatCount(rows.length)} shown</span>}
            <span className={text["quiet"]}>Durations of 24 h; states and slots of the replica that responded</span>
          </>
        }
        actions={
          <Button
            aria-pressed={show === "trouble"}
            onClick={() =>
              navigate({ search: (before) => ({ ...before, show: show === "trouble" ? undefined : "trouble" }) })
            }
          >
            In trouble only
          </Button>
        }
      />
      <Loaded
        query={list}
        label="handlers"
        empty={() =>
          rows.length > 0 ? undefined : show === "trouble" && all.length > 0 ? (
            <EmptyBlock title="No failing handlers">All handlers that were called respond.</EmptyBlock>
          ) : (
            <EmptyBlock title="No handler has been called yet" command="npx @yagate/cli init my-tools">
              A handler is your code behind a URL. It appears here with its first signed call.
            </EmptyBlock>
          )
        }
      >
        {() => (
          <DataTable
            label="Handlers"
            columns={columnsOf(select, traffic.data)}
            rows={rows}
            keyOf={({ id }) => id}
            selected={row}
          />
        )}
      </Loaded>
      {traffic.isError && <ErrorBlock error={traffic.error} onRetry={() => traffic.refetch()} />}
      {chosen !== undefined && <HandlerDetail endpoint={chosen} traffic={traffic.data?.get(chosen.url)} />}
    </>
  );
}

type Traffic = ReadonlyMap<string, HandlerTraffic> | undefined;

function columnsOf(select: (id: string) => void, traffic: Traffic): readonly Column<Endpoint>[] {
  const duration = (url: string, name: "p50" | "p95") => {
    const known = traffic?.get(url);
    return known === undefined ? NONE : formatDuration(known[name]);
  };
  return [
    { name: "State", widthRem: 10, at: "status", cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
    {
      name: "URL",
      at: "main",
      cell: ({ id, url }) => (
        <Button look="link" onClick={() => select(id)}>
          <span className={`${text["mono"]} ${text["cut"]}`}>{url}</span>
        </Button>
      ),
    },
    {
      name: "24 h",
      widthRem: 9,
      at: "dropped",
      cell: ({ url }) => {
        const known = traffic?.get(url);
        return known === undefined ? NONE : <Sparkline traffic={known} />;
      },
    },
    { name: "p50", widthRem: 5, at: "dropped", isNumber: true, cell: ({ url }) => duration(url, "p50") },
    { name: "p95", widthRem: 5, at: "left", isNumber: true, cell: ({ url }) => duration(url, "p95") },
    { name: "In flight", widthRem: 6, at: "dropped", isNumber: true, cell: ({ inFlight }) => formatCount(inFlight) },
    { name: "Queued", widthRem: 6, at: "dropped", isNumber: true, cell: ({ queued }) => formatCount(queued) },
    {
      name: "Failed in 1 min",
      widthRem: 9,
      at: "right",
      isNumber: true,
      cell: ({ circuit: { attempts, failures } }) =>
        attempts === 0 ? NONE : `${formatCount(failures)} of ${formatCount(attempts)}`,
    },
  ];
}

function EndpointStatus({ endpoint }: { readonly endpoint: Endpoint }) {
  const { status, circuit } = endpoint;
  if (status === "disabled") return <Status kind="denied">Disabled</Status>;
  if (circuit.state === "open") return <Status kind="failed">Breaker open</Status>;
  if (circuit.state === "half_open") return <Status kind="waiting">Half open</Status>;
  return circuit.failures > 0 ? <Status kind="failed">Failing</Status> : <Status kind="ok">Responds</Status>;
}

interface HandlerDetailProps {
  readonly endpoint: Endpoint;
  readonly traffic: HandlerTraffic | undefined;
}

function HandlerDetail({ endpoint, traffic }: HandlerDetailProps) {
  const { id, url, disabledAt, reason, circuit } = endpoint;
  const queries = useQueryClient();
  const enable = useMutation({
    mutationFn: () => enableEndpoint(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["endpoints"] }),
  });
  const host = URL.canParse(url) ? new URL(url).host : url;
  return (
    <Section
      title={host}
      actions={
        <>
          {(disabledAt !== null || circuit.state !== "closed") && (
            <Button look="primary" disabled={enable.isPending} onClick={() => enable.mutate()}>
              Enable
            </Button>
          )}
          <CopyButton text={`yagate conformance ${url}`} label="Copy conformance command" />
          <CopyButton text={`yagate egress check ${url}`} label="Copy egress command" />
        </>
      }
    >
      {enable.isError && <ErrorBlock error={enable.error} />}
      <Facts
        rows={[
          ["URL", <code key="url">{url}</code>],
          ["State", troubleOf(endpoint)],
          ...trafficRows(traffic),
          ["Reason", reason ?? NONE],
          ["Disabled", disabledAt === null ? NONE : <Clock key="at" at={disabledAt} isAlone />],
          ["Next attempt", circuit.retryAt === null ? NONE : <Clock key="retry" at={circuit.retryAt} isAlone />],
          ["Id", <code key="id">{id}</code>],
        ]}
      />
    </Section>
  );
}

function trafficRows(traffic: HandlerTraffic | undefined) {
  if (traffic === undefined) return [["Attempts in 24 h", NONE]] as const;
  const { attempts, failures, p50, p95, p99 } = traffic;
  return [
    ["Attempts in 24 h", `${formatCount(attempts)}, of which ${formatCount(failures)} failed`],
    ["Half within", formatDuration(p50)],
    ["95 % within", formatDuration(p95)],
    ["99 % within", formatDuration(p99)],
  ] as const;
}
