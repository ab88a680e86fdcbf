import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Endpoint } from "@yagate/protocol";
import { enableEndpoint, isInTrouble, listEndpoints, troubleOf } from "../../api/endpoints.ts";
import { useLive } from "../../live/live.ts";
import { EmptyBlock, ErrorBlock, Facts, LiveMark } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { formatCount, NONE } from "../../parts/numbers.ts";
import { Section } from "../../parts/section.tsx";
import { Status } from "../../parts/status.tsx";
import text from "../../parts/text.module.css";
import { PageHead } from "../../shell/page-head.tsx";
import { useRowKeys } from "../../shell/row-keys.ts";

const PACE_MS = 5_000;

/** The URLs of handlers that were called, and whether they respond. */
export function HandlersPage() {
  const { row, show } = useSearch({ from: "/handlers" });
  const navigate = useNavigate({ from: "/handlers" });
  const list = useQuery({ queryKey: ["endpoints"], queryFn: ({ signal }) => listEndpoints(signal) });
  const live = useLive(() => void list.refetch(), PACE_MS);
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
            <span className={text["quiet"]}>Traffic of the replica that responded</span>
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
          <DataTable label="Handlers" columns={columnsOf(select)} rows={rows} keyOf={({ id }) => id} selected={row} />
        )}
      </Loaded>
      {chosen !== undefined && <HandlerDetail endpoint={chosen} />}
    </>
  );
}

function columnsOf(select: (id: string) => void): readonly Column<Endpoint>[] {
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

function HandlerDetail({ endpoint }: { readonly endpoint: Endpoint }) {
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
          ["Reason", reason ?? NONE],
          ["Disabled", disabledAt === null ? NONE : <Clock key="at" at={disabledAt} isAlone />],
          ["Next attempt", circuit.retryAt === null ? NONE : <Clock key="retry" at={circuit.retryAt} isAlone />],
          ["Id", <code key="id">{id}</code>],
        ]}
      />
    </Section>
  );
}
