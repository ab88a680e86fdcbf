import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { Provider } from "@yagate/protocol";
import { getUsage, listProviders } from "../../api/settings.ts";
import { useLive } from "../../live/live.ts";
import { Facts, LiveMark } from "../../parts/blocks.tsx";
import { Clock } from "../../parts/clock.tsx";
import controls from "../../parts/controls.module.css";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { formatBytes, formatCount, NONE } from "../../parts/numbers.ts";
import { Quiet, Section } from "../../parts/section.tsx";
import { Tag } from "../../parts/status.tsx";
import text from "../../parts/text.module.css";
import { toLine } from "../../parts/visible-text.tsx";
import { keyName, type Session, sessionQuery } from "../../session/session.ts";
import { PageHead } from "../../shell/page-head.tsx";
import { AuditLog } from "./audit-log.tsx";
import { KeysSection } from "./keys-section.tsx";
import css from "./settings.module.css";

const TABS = [
  ["workspace", "Workspace", undefined],
  ["keys", "API keys", "admin"],
  ["providers", "Providers", "secrets"],
  ["audit", "Audit log", "admin"],
] as const;
const PACE_MS = 15_000;

/** The workspace, its keys, its model providers, and who changed what. */
export function SettingsPage() {
  const search = useSearch({ from: "/settings" });
  const navigate = useNavigate({ from: "/settings" });
  const { data: session } = useQuery(sessionQuery);
  const [tab] = TABS.find(([name]) => name === search["tab"]) ?? TABS[0];
  const usage = useQuery({ queryKey: ["usage"], queryFn: ({ signal }) => getUsage(signal) });
  const live = useLive(() => void usage.refetch(), PACE_MS);
  return (
    <>
      <PageHead title="Settings" meta={<LiveMark state={live} />} />
      <nav className={css["tabs"]} aria-label="Settings">
        <div className={controls["segments"]}>
          {TABS.map(([name, word]) => (
            <Link
              key={name}
              to="/settings"
              search={{ tab: name === "workspace" ? undefined : name }}
              activeOptions={{ exact: true }}
              aria-current={name === tab ? "page" : undefined}
            >
              {word}
            </Link>
          ))}
        </div>
      </nav>
      {session !== undefined && tab === "workspace" && (
        <>
          <SessionFacts session={session} />
          <Section title="Limits" note="of the workspace's plan">
            <Loaded
              query={usage}
              label="the limits"
              empty={({ quotas }) => (Object.keys(quotas).length === 0 ? <NoQuotas /> : undefined)}
            >
              {({ quotas }) => <QuotaTable quotas={quotas} />}
            </Loaded>
          </Section>
        </>
      )}
      {tab === "keys" && <KeysSection />}
      {tab === "providers" && <Providers />}
      {tab === "audit" && (
        <AuditLog
          filter={{ action: search["action"], resourceType: search["type"] }}
          row={search["row"]}
          onChange={(change) => navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
        />
      )}
    </>
  );
}

const NoQuotas = () => <Quiet>The plan has no limits.</Quiet>;

function SessionFacts({ session }: { readonly session: Session }) {
  return (
    <Section title="This session">
      <Facts
        rows={[
          ["Workspace", <code key="workspace">{session.workspaceId}</code>],
          ["Key", toLine(keyName(session), 80)],
          [
            "Scopes",
            <span key="scopes" className={controls["actions"]}>
              {session.scopes.map((scope) => (
                <Tag key={scope}>{scope}</Tag>
              ))}
            </span>,
          ],
          ["Signed in until", <Clock key="until" at={session.expiresAt} isAlone />],
          ["Gateway", session.version],
          ["Mode", session.isDevelopment ? "development" : "production"],
          [
            "Approvals",
            session.allowsSelfApproval
              ? "The key that started an execution may approve its calls"
              : "A key other than the one that started the execution must approve",
          ],
        ]}
      />
    </Section>
  );
}

interface QuotaRow {
  readonly name: string;
  readonly used: string;
  readonly limit: string;
  readonly share: number | undefined;
  readonly countedBy: string;
}

type Quotas = Awaited<ReturnType<typeof getUsage>>["quotas"];

function QuotaTable({ quotas }: { readonly quotas: Quotas }) {
  const rows = Object.entries(quotas).map(([name, { limit, used, countedBy }]): QuotaRow => {
    const format = /bytes/i.test(name) ? formatBytes : formatCount;
    return {
      name,
      used: format(used),
      limit: limit === null ? "unlimited" : format(limit),
      share: limit === null || limit === 0 ? undefined : used / limit,
      countedBy,
    };
  });
  const columns: readonly Column<QuotaRow>[] = [
    { name: "Limit", at: "main", cell: ({ name }) => <code>{name}</code> },
    { name: "Used", widthRem: 8, at: "left", isNumber: true, cell: ({ used }) => used },
    { name: "Of", widthRem: 8, at: "right", isNumber: true, cell: ({ limit }) => limit },
    {
      name: "Share",
      widthRem: 6,
      at: "dropped",
      isNumber: true,
      cell: ({ share }) => (share === undefined ? NONE : `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`),
    },
    { name: "Counted by", widthRem: 9, at: "dropped", cell: ({ countedBy }) => countedBy },
  ];
  return <DataTable label="Limits" columns={columns} rows={rows} keyOf={({ name }) => name} />;
}

const providerColumns: readonly Column<Provider>[] = [
  { name: "Provider", widthRem: 14, at: "main", cell: ({ name }) => <span className={text["mono"]}>{name}</span> },
  { name: "Key", at: "left", cell: ({ apiKey }) => <span className={text["mono"]}>{apiKey}</span> },
  { name: "URL", at: "dropped", cell: ({ baseUrl }) => <span className={text["mono"]}>{baseUrl ?? NONE}</span> },
  {
    name: "Saved",
    widthRem: 12,
    at: "when",
    isNumber: true,
    cell: ({ updatedAt }) => <Clock at={updatedAt} isAlone />,
  },
];

function Providers() {
  const list = useQuery({ queryKey: ["providers"], queryFn: ({ signal }) => listProviders(signal) });
  return (
    <Section title="Model providers" note="of this workspace; the gateway's own come from its configuration">
      <Loaded
        query={list}
        label="providers"
        empty={(rows) =>
          rows.length > 0 ? undefined : <Quiet>The workspace uses the providers of the gateway's configuration.</Quiet>
        }
      >
        {(rows) => (
          <DataTable label="Model providers" columns={providerColumns} rows={rows} keyOf={({ name }) => name} />
        )}
      </Loaded>
    </Section>
  );
}
