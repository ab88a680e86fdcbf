import { type Finding, failed, notJudged, passed } from "../finding.ts";
import { isToldToWait, told } from "../judgements.ts";
import type { Probe } from "../probe.ts";
import { judgeRuns } from "../run-counter.ts";
import type { Exchange, Message } from "../wire/exchange.ts";
import { sendAtOnce } from "../wire/send-at-once.ts";

/** How many copies of one call arrive at once. */
export const DUPLICATES = 20;

/** With fewer answers among copies that were there together, it was not tried whether they get in each other's way. */
const LEAST_TOGETHER = 5;
/** Few enough for the shortest queue of connections in use: Python's http.server lets five wait. */
const SENT_AGAIN_TOGETHER = 4;

interface Copies {
  /** What became of those that were sent at once. */
  readonly together: readonly Exchange[];
  /** What became of those that got no answer, when they were sent again. */
  readonly again: readonly Exchange[];
}

/**
 * Sends copies of one call at once. A server may refuse or reset some of so many connections, or answer that it is busy:
 * that is no second run. Such copies are sent again, as a gateway does, and only what is answered is judged.
 */
export async function judgeDuplicatesAtOnce(probe: Probe): Promise<Finding> {
  const message = await probe.sign(probe.call());
  let copies: Copies = { together: [], again: [] };
  const finding = await judgeRuns(probe.counter, 1, async () => {
    const together = await sendAtOnce(probe, message, DUPLICATES);
    const again = await sendAgain(probe, message, together.filter((exchange) => !isAnswered(exchange)).length);
    copies = { together, again };
    return [...together, ...again].filter(isAnswered);
  });
  const { together, again } = copies;
  const remark = remarkOn(copies);
  if (![...together, ...again].some(isAnswered)) {
    const fault = await probe.faultNow();
    return fault === undefined ? notJudged(`${remark}; ${MORE_ROOM}`) : failed(`${remark}; ${fault}`);
  }
  if (finding.outcome === "fail") return failed(remark === "" ? finding.reason : `${finding.reason}; ${remark}`);
  const answered = together.filter(isAnswered).length;
  if (answered < LEAST_TOGETHER) {
    return notJudged(
      `only ${answered} of ${DUPLICATES} copies were answered while they were open together: ${MORE_ROOM}`,
    );
  }
  return finding.outcome === "pass" && remark !== "" ? passed(remark) : finding;
}

const MORE_ROOM =
  "the server takes too few connections at once for this case; give it a longer queue, such as request_queue_size in Python's http.server, or the backlog of listen";

function isAnswered(exchange: Exchange): boolean {
  return exchange.kind === "answer" && !isToldToWait(exchange);
}

/** Few at a time, and no further ones once all of some got nothing: each may take the whole time of an answer. */
async function sendAgain(probe: Probe, message: Message, count: number): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  while (exchanges.length < count) {
    const size = Math.min(SENT_AGAIN_TOGETHER, count - exchanges.length);
    const wave = await Promise.all(Array.from({ length: size }, () => probe.send(message)));
    exchanges.push(...wave);
    if (!wave.some(isAnswered)) break;
  }
  return exchanges;
}

/** Nothing when every copy got its answer at once. */
function remarkOn({ together, again }: Copies): string {
  const unanswered = together.filter((exchange) => !isAnswered(exchange));
  if (unanswered.length === 0) return "";
  const what = new Set(unanswered.map(told));
  const late = again.filter(isAnswered).length;
  const then = late === unanswered.length ? "then they were" : `then ${late} of them were`;
  return `${unanswered.length} of ${DUPLICATES} copies were not answered at first (the server ${[...what].join(", ")}) and were sent again, as a gateway does: ${then}`;
}
