import { YagateError } from "@yagate/protocol";
import type { SqlStatement } from "../sql.ts";
import type { UnitOfWork, UnitRunner } from "../unit-of-work.ts";
import { type Database, type NamedStatement, named, repeatRead, type Session } from "./database.ts";
import { InSequence } from "./in-sequence.ts";
import { resolveCommitOutcome } from "./resolve-commit-outcome.ts";
import { isConflict, outcomeUnknown, StatementError, toStoreError } from "./store-error.ts";

const MAX_TRIES = 10;

const CURRENT_TRANSACTION = named("SELECT pg_current_xact_id()::text AS id");
const FATE_OF_TRANSACTION = named("SELECT pg_xact_status($1::text::xid8) AS status");

/** Runs units of work. Units that write run one at a time, in order. */
export interface ClosableUnitRunner extends UnitRunner {
  /** From now on, tries only once more to find the outcome of a lost commit. */
  stopAsking(): void;
  /** Rejects later units. Resolves when earlier ones have ended. */
  close(): Promise<void>;
}

const statements = new WeakMap<TemplateStringsArray, NamedStatement>();

/** Returns the statement with PostgreSQL's placeholders in place of the values. */
function toNamed({ parts }: SqlStatement<unknown>): NamedStatement {
  const known = statements.get(parts);
  if (known !== undefined) return known;
  const statement = named(parts.reduce((text, part, index) => `${text}$${index}${part}`));
  statements.set(parts, statement);
  return statement;
}

/** Runs a unit of work on a connection, in the current transaction. */
export async function perform<Result>(unit: UnitOfWork<Result>, session: Session): Promise<Result> {
  let step = unit.next();
  while (!step.done) step = unit.next(await session.run(toNamed(step.value), step.value.values));
  return step.value;
}

/**
 * Creates the runner. Units that write run one at a time in this process, each in a serializable transaction, because
 * they read before they write and another replica may do the same concurrently. A unit runs again after a conflict.
 */
export function createUnits(database: Database): ClosableUnitRunner {
  const writes = new InSequence();
  const closing = new AbortController();
  const patience = new AbortController();

  async function commit(session: Session, transactionId: string): Promise<void> {
    try {
      const command = await session.execute("COMMIT");
      // PostgreSQL responds to the COMMIT of a failed transaction with ROLLBACK.
      if (command !== "COMMIT") throw new YagateError("INTERNAL", "expected the transaction to be committed");
    } catch (error) {
      if (!(error instanceof StatementError) || error.fate !== "lost") throw error;
      if (!(await wasCommitted(transactionId, error))) throw error;
    }
  }

  function wasCommitted(transactionId: string, lost: StatementError): Promise<boolean> {
    return resolveCommitOutcome(
      async () => {
        const [row] = await database.run<{ status: string | null }>("writes", FATE_OF_TRANSACTION, [transactionId]);
        return row?.status === "in progress" ? undefined : row?.status === "committed";
      },
      { signal: patience.signal, orElse: () => outcomeUnknown(lost) },
    );
  }

  async function tryWrite<Result>(unit: () => UnitOfWork<Result>): Promise<Result> {
    return database.use("writes", async (session) => {
      await session.execute("BEGIN ISOLATION LEVEL SERIALIZABLE");
      try {
        const [transaction] = await session.run<{ id: string }>(CURRENT_TRANSACTION, []);
        const result = await perform(unit(), session);
        await commit(session, transaction?.id ?? "");
        return result;
      } catch (error) {
        if (!(error instanceof StatementError) || error.fate === "aborted") await session.execute("ROLLBACK");
        throw error;
      }
    });
  }

  async function write<Result>(unit: () => UnitOfWork<Result>): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await tryWrite(unit);
      } catch (error) {
        // The connection was lost before the commit, so the server rolls the transaction back.
        const isUndone = isConflict(error) || (error instanceof StatementError && error.fate === "lost");
        if (!isUndone || tries === MAX_TRIES) throw toStoreError(error);
      }
    }
  }

  function assertOpen(): void {
    if (closing.signal.aborted) throw new YagateError("UNAVAILABLE", "the store is closed");
  }

  return {
    async read(unit) {
      assertOpen();
      return repeatRead(() => database.use("reads", (session) => perform(unit(), session)));
    },
    async write(unit) {
      assertOpen();
      return writes.run(() => write(unit));
    },
    stopAsking() {
      patience.abort();
    },
    async close() {
      patience.abort();
      closing.abort();
      await writes.idle();
    },
  };
}
