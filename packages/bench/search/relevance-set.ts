import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** A document and its set. Its id is the file's name without the extension. */
interface JudgedDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** A question and the documents that answer it. */
export interface JudgedQuestion {
  readonly query: string;
  readonly relevant: readonly string[];
  /** Of which collection. */
  readonly group: string;
  /** Ranking was tuned on one half and is reported on the other. */
  readonly half: "tuning" | "report";
}

/** Documents with questions whose answers are known; `relevance-set/README.md` says where they are from. */
export interface RelevanceSet {
  readonly documents: readonly JudgedDocument[];
  readonly questions: readonly JudgedQuestion[];
}

const collectionSchema = z.object({
  documents: z.array(z.object({ id: z.string(), title: z.string(), text: z.string() })),
  questions: z.array(z.object({ query: z.string(), relevant: z.array(z.string()).min(1) })),
});

/** Languages whose words have no spaces between them. */
const UNSPACED = /^(?:ja|zh)-/;

export async function loadRelevanceSet(): Promise<RelevanceSet> {
  const collections = await Promise.all(["perl-faq", "human-rights"].map(readCollection));
  return {
    documents: collections.flatMap(({ documents }) => documents),
    questions: collections.flatMap(({ questions }) => questions),
  };
}

async function readCollection(name: string): Promise<RelevanceSet> {
  const text = await readFile(new URL(`relevance-set/${name}.json`, import.meta.url), "utf8");
  const { documents, questions } = collectionSchema.parse(JSON.parse(text));
  const groupOf = (id: string) => {
    if (name === "perl-faq") return "Perl FAQ, English";
    return UNSPACED.test(id) ? "human rights, Chinese and Japanese" : "human rights, six languages of Europe";
  };
  return {
    documents,
    questions: questions.map((question, index) => ({
      ...question,
      group: groupOf(question.relevant[0] ?? ""),
      half: index % 2 === 0 ? "tuning" : "report",
    })),
  };
}

/** Writes the documents into a folder, as a user would store them. */
export async function writeDocuments(folder: string, documents: readonly JudgedDocument[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(
    documents.map(({ id, title, text }) =>
      writeFile(join(folder, `${id}.md`), `---\ntitle: ${JSON.stringify(title)}\n---\n\n${text}\n`),
    ),
  );
}

/** The id of a document that a search has found. */
export function idOfUrl(url: string): string {
  return decodeURIComponent(url.replace(/^local:\/\/\/(?:.*\/)?/, "").replace(/\.md$/, ""));
}
