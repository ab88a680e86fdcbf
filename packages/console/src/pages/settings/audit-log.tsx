import { useQuery } from "@tanstack/react-query";
import type { AuditEntry } from "@yagate/protocol";
import { type AuditFilter, listAudit } from "../../api/settings.ts";
import { EmptyBlock, Facts } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { LineDiff } from "../../parts/line-diff.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { NONE } from "../../parts/numbers.ts";
import { Section } from "../../parts/section.tsx";
import text from "../../parts/text.module.css";
import { toLine } from "../../parts/visible-text.tsx";
import { useRowKeys } from "../../shell/row-keys.ts";

interface AuditLogProps {
  readonly filter: AuditFilter;
  readonly row: string | undefined;
  onChange(change: { readonly row?: string | undefined; readonly type?: string | undefined }): void;
}

/** Who changed what, when and from where; the newest first. */
export function AuditLog({ filter, row, onChange }: AuditLogProps) {
  const list = useQuery({ queryKey: ["audit", filter], queryFn: ({ signal }) => listAudit(filter, signal) });
  const rows = list.data ?? [];
  const select = (id: string | undefined) => onChange({ row: id });
  useRowKeys({ rows: rows.map(({ id }) => id), selected: row, select });
  const chosen = rows.find(({ id }) => id === row);
  const isFiltered = filter.action !== undefined || filter.resourceType !== undefined;
  const columns: readonly Column<AuditEntry>[] = [
    {
      name: "Change",
      widthRem: 16,
      at: "main",
      cell: ({ id, action }) => (
        <Button look="link" onClick={() => select(id === row ? undefined : id)}>
          <span className={text["mono"]}>{action}</span>
        </Button>
      ),
    },
    { name: "Of", at: "left", cell: ({ resource }) => toLine(resource.name ?? resource.id, 80) },
    { name: "By", widthRem: 14, at: "status", cell: ({ actor }) => toLine(actorName(actor), 60) },
    { name: "From", widthRem: 10, at: "dropped", cell: ({ address }) => address ?? NONE },
    { name: "When", widthRem: 11, at: "when", isNumber: true, cell: ({ at }) => <Clock at={at} isAlone /> },
  ];
  return (
    <Section
      title="Audit log"
      note="the newest 100 changes"
      actions={
        <>
          {isFiltered && <Button onClick={() => onChange({ type: undefined })}>Clear filters</Button>}
          <CopyButton text="yagate audit" label="Copy as CLI" />
        </>
      }
    >
      <Loaded
        query={list}
        label="changes"
        empty={(entries) =>
          entries.length > 0 ? undefined : (
            <EmptyBlock title="Nothing was changed" command="yagate audit">
              Each change of an agent, a tool, a secret or a key appears here with who made it.
            </EmptyBlock>
          )
        }
      >
        {(entries) => (
          <DataTable label="Changes" columns={columns} rows={entries} keyOf={({ id }) => id} selected={row} />
        )}
      </Loaded>
      {chosen !== undefined && <EntryDetail entry={chosen} />}
    </Section>
  );
}

function actorName({ type, keyId, keyName }: AuditEntry["actor"]): string {
  if (type === "bootstrap") return "Bootstrap key";
  return keyName ?? keyId ?? type;
}

function EntryDetail({ entry }: { readonly entry: AuditEntry }) {
  const { action, resource, actor, address, requestId, at, before, after } = entry;
  return (
    <Section title={`${action} of ${toLine(resource.name ?? resource.id, 80)}`}>
      <Facts
        rows={[
          ["By", toLine(actorName(actor), 80)],
          ["At", <Clock key="at" at={at} isAlone />],
          ["From", address ?? NONE],
          ["Request", <code key="request">{requestId ?? NONE}</code>],
          ["Resource", <code key="resource">{resource.id}</code>],
        ]}
      />
      <LineDiff label="What changed" before={before} after={after} />
    </Section>
  );
}
