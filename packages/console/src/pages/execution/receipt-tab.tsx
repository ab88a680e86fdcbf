import { useQuery } from "@tanstack/react-query";
import { download } from "../../api/download.ts";
import { getReceipt } from "../../api/execution.ts";
import { ErrorBlock, Notice, Skeleton } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import controls from "../../parts/controls.module.css";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Status } from "../../parts/status.tsx";
import text from "../../parts/text.module.css";
import { VisibleText } from "../../parts/visible-text.tsx";
import css from "./execution.module.css";

/** What the execution did, in sentences, and whether its record is still the one that was sealed. */
export function ReceiptTab({ id }: { readonly id: string }) {
  const receipt = useQuery({ queryKey: ["receipt", id], queryFn: ({ signal }) => getReceipt(id, signal) });
  if (receipt.isError) return <ErrorBlock error={receipt.error} onRetry={() => receipt.refetch()} />;
  if (receipt.isPending) return <Skeleton label="the receipt" />;
  const { verified, isFinal, difference, account, signature } = receipt.data;
  return (
    <div className={css["receipt"]}>
      <div>
        {verified ? (
          <Status kind="ok">
            {isFinal ? "The record is complete and unchanged since it was written" : "The record is unchanged so far"}
          </Status>
        ) : (
          <Notice icon="failed">
            The record differs from its seal at entry {difference?.seq}: <VisibleText text={difference?.reason ?? ""} />
          </Notice>
        )}
      </div>
      <div className={controls["actions"]}>
        <Button
          onClick={() => download(`${id}.receipt.json`, "application/json", JSON.stringify(receipt.data, null, 2))}
        >
          <Icon name="download" />
          Download
        </Button>
        <CopyButton text={`yagate receipt ${id}`} label="Copy as CLI" />
        {signature === null && <span className={text["quiet"]}>Signed when the execution has ended</span>}
      </div>
      <ol className={css["lines"]}>
        {account.map((line, index) => (
          <li key={index}>
            <span className={text["quiet"]}>
              <Clock at={line.at} />
            </span>
            <span>
              <VisibleText text={line.text} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
