import { type ReactNode, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { Command, EmptyBlock, ErrorBlock, Facts, LiveMark, Notice, Skeleton } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import controls from "../../parts/controls.module.css";
import { CopyButton } from "../../parts/copy-button.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { LineDiff } from "../../parts/line-diff.tsx";
import { formatBytes, formatCost, formatCount, formatDuration, NONE, shortId } from "../../parts/numbers.ts";
import { Figure, Figures, Line, Lines, Quiet, Section } from "../../parts/section.tsx";
import { Status, StatusTag, Tag, UntrustedTag } from "../../parts/status.tsx";
import type { StatusKind } from "../../parts/status-kind.ts";
import { ChoiceField, TextArea, TextField } from "../../parts/text-field.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { PageHead } from "../../shell/page-head.tsx";
import { TimeChart } from "../metrics/time-chart.tsx";
import css from "./gallery.module.css";

const KINDS: readonly StatusKind[] = [
  ...(["ok", "running", "queued", "waiting", "failed"] as const),
  ...(["denied", "unknown", "cancelled", "limit"] as const),
];
const HOSTILE = '<img src=x onerror="alert(1)"> \u202Egnp.exe \u200b';
const ERROR = new ApiError({
  code: "HANDLER_ERROR",
  message: "The handler responded with 503.",
  hint: "See the attempt, then repair the handler and redeliver the call.",
  requestId: "b2f4f0c6",
  status: 502,
});
const AT = "2026-01-15T09:14:02.000Z";
const STEPS = Array.from({ length: 12 }, (_, step) => Date.parse(AT) + step * 3_600_000);
const ROWS = [
  { name: "lookup_order", count: 1_284, kind: "ok" },
  { name: "refund_payment", count: 12, kind: "failed" },
] as const;

/** The components in their states. Only development gateways serve it. */
export function GalleryPage() {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("ORD-12345");
  return (
    <div data-state="ready">
      <PageHead
        title="Gallery"
        meta={
          <>
            <LiveMark state="live" />
            <LiveMark state="reconnecting" />
            <LiveMark state="paused" />
          </>
        }
      />
      <Section title="Status">
        <Row>
          {KINDS.map((kind) => (
            <Status key={kind} kind={kind}>
              {kind}
            </Status>
          ))}
        </Row>
        <Row>
          {KINDS.map((kind) => (
            <StatusTag key={kind} kind={kind}>
              {kind}
            </StatusTag>
          ))}
          <Tag>plain</Tag>
          <UntrustedTag />
        </Row>
      </Section>
      <Section title="Buttons and fields">
        <Row>
          <Button look="primary">Primary</Button>
          <Button>Plain</Button>
          <Button look="danger">Danger</Button>
          <Button look="quiet">Quiet</Button>
          <Button disabled>Disabled</Button>
          <Button isSmall>Small</Button>
          <CopyButton text="copied" label="Copy id" />
          <Button onClick={() => setOpen(true)}>Dialog…</Button>
        </Row>
        <div className={css["fields"]}>
          <TextField label="A line" hint="With a hint" value={text} onChange={setText} />
          <TextArea label="Several lines" isCode value={text} onChange={setText} />
          <ChoiceField
            label="A choice"
            value="one"
            options={[
              ["one", "One"],
              ["two", "Two"],
            ]}
            onChange={() => undefined}
          />
        </div>
      </Section>
      <Section title="States">
        <ErrorBlock error={ERROR} onRetry={() => undefined} />
        <EmptyBlock title="No executions yet" command="yagate exec desk hello">
          An execution is one run of an agent on one input.
        </EmptyBlock>
        <Skeleton label="an example" lines={3} />
        <Quiet>Nothing runs.</Quiet>
      </Section>
      <Section title="Notices">
        <Notice icon="clock">Plain</Notice>
        <Notice icon="waiting" look="waiting">
          Waiting for a person
        </Notice>
        <Notice icon="untrusted" look="untrusted">
          External data
        </Notice>
        <Notice icon="unknown" look="unknown">
          It may have taken effect
        </Notice>
      </Section>
      <Section title="Values">
        <Facts
          rows={[
            ["Duration", [834, 2_000, 92_000, 6_720_000].map(formatDuration).join(", ")],
            ["Count", [0, 1_284, 9_410_000].map(formatCount).join(", ")],
            ["Cost", [0, 0.0312, 12.4].map(formatCost).join(", ")],
            ["Bytes", [214, 65_536, 1_572_864].map(formatBytes).join(", ")],
            ["None", NONE],
            ["Id", <code key="id">{shortId("exec_01m7ypabcdefghijk3hq69")}</code>],
            ["Time", <Clock key="time" at={AT} isAlone />],
            ["Hostile", <VisibleText key="hostile" text={HOSTILE} />],
          ]}
        />
        <Command text="npx @yagate/cli dev" />
        <JsonBlock label="JSON" value={{ orderId: "ORD-12345", note: HOSTILE }} />
        <LineDiff
          label="A comparison"
          before={{ status: "packed", carrier: "DHL" }}
          after={{ status: "sent", carrier: "DHL" }}
        />
      </Section>
      <Section title="Lists">
        <Figures>
          <Figure name="Executions, 24 h" value="1,284" note="27 did not complete" />
          <Figure name="Cost" value="$18.07" />
        </Figures>
        <Lines>
          {ROWS.map(({ name, count, kind }) => (
            <Line key={name} icon={<Status kind={kind}>{kind}</Status>} end={formatCount(count)}>
              <code>{name}</code>
            </Line>
          ))}
        </Lines>
        <DataTable
          label="Tools"
          rows={ROWS}
          keyOf={({ name }) => name}
          selected="lookup_order"
          columns={[
            { name: "Status", widthRem: 8, at: "status", cell: ({ kind }) => <Status kind={kind}>{kind}</Status> },
            { name: "Tool", at: "main", cell: ({ name }) => <code>{name}</code> },
            { name: "Calls", widthRem: 8, at: "right", isNumber: true, cell: ({ count }) => formatCount(count) },
          ]}
        />
        <TimeChart
          label="Executions"
          kind="bars"
          steps={STEPS}
          format={formatCount}
          series={[
            { name: "Completed", look: "ok", values: STEPS.map((_, step) => 10 + ((step * 7) % 5)) },
            { name: "Failed", look: "failed", values: STEPS.map((_, step) => step % 3) },
          ]}
        />
      </Section>
      {isOpen && (
        <Dialog title="Cancel this execution?" closeLabel="Keep it running" onClose={() => setOpen(false)}>
          <p>It starts nothing new.</p>
        </Dialog>
      )}
    </div>
  );
}

function Row({ children }: { readonly children: ReactNode }) {
  return <div className={controls["actions"]}>{children}</div>;
}
