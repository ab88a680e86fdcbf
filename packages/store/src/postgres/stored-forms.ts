import { YagateError } from "@yagate/protocol";
import { NEWEST_FORM, type StoredForm } from "../events/stored-form.ts";
import { type Database, named } from "./database.ts";

/** The setting with the oldest form that every reader must be able to read. Its number never decreases. */
export const MIN_READER = "stored_form.min_reader";

/** The age from which an append has the forms read again. */
const MAX_AGE_MS = 2_000;

/** The migration step that added the table of texts. */
const TEXTS_STEP = 14;

/** The migration step that added the mode of executions. */
const MODES_STEP = 30;

const isFinished = (step: number) =>
  `EXISTS (SELECT FROM yagate_migrations WHERE version = ${step} AND finished_at IS NOT NULL)`;

const FIND = named(`
  SELECT s.value::integer AS min_reader, ${isFinished(TEXTS_STEP)} AS stores_apart,
    ${isFinished(MODES_STEP)} AS stores_replays
  FROM settings s WHERE s.name = '${MIN_READER}'`);

/** What this replica may currently write. */
export interface Forms {
  readonly storedForm: StoredForm;
  /** Whether large texts may be stored separately. */
  readonly storesApart: boolean;
  /** Whether executions may use recordings. */
  readonly storesReplays: boolean;
}

/**
 * Checks that this version reads the data in the database.
 *
 * @param minReader - the value of {@link MIN_READER}.
 * @throws YagateError `UNAVAILABLE` if other replicas may write a form that this version cannot read.
 */
export function assertReadable(minReader: number | undefined): void {
  if (minReader === undefined) {
    throw new YagateError("UNAVAILABLE", `the database lacks the setting ${MIN_READER}: restore its table settings`);
  }
  if (minReader <= NEWEST_FORM) return;
  throw new YagateError(
    "UNAVAILABLE",
    `the database contains executions in the stored form ${minReader}, and this version reads forms up to ${NEWEST_FORM}: use the version that finished the migration`,
  );
}

/**
 * Knows which forms this replica may write. Replicas of older versions may share the database, and can read only older
 * forms, until `yagate migrate --finish`. The forms change only once, so they are then known for ever.
 */
export class StoredForms {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  #forms: Forms = { storedForm: 1, storesApart: false, storesReplays: false };
  #isFinal = false;
  #readAt = Number.NEGATIVE_INFINITY;

  /** @param onError - called with the error if the forms cannot be read; this replica then keeps writing as before. */
  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Returns what is known, so that appends stay in their order, and reads the forms again if that may be outdated. */
  current(): Forms {
    if (!this.#isFinal && performance.now() - this.#readAt >= MAX_AGE_MS) void this.read();
    return this.#forms;
  }

  /** Reads the forms. Never rejects. */
  async read(): Promise<void> {
    this.#readAt = performance.now();
    try {
      const [row] = await this.#database.run<{ min_reader: number; stores_apart: boolean; stores_replays: boolean }>(
        "reads",
        FIND,
        [],
      );
      const storedForm = (row?.min_reader ?? 1) < NEWEST_FORM ? 1 : NEWEST_FORM;
      const storesApart = row?.stores_apart ?? false;
      const storesReplays = row?.stores_replays ?? false;
      this.#forms = { storedForm, storesApart, storesReplays };
      this.#isFinal = storedForm === NEWEST_FORM && storesApart && storesReplays;
    } catch (error) {
      this.#onError(error);
    }
  }
}
