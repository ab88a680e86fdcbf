import { type Finding, failed, notJudged, passed } from "../finding.ts";
import { isToldToWait, told } from "../judgements.ts";
import type { Probe } from "../probe.ts";
import { judgeRuns } from "../run-counter.ts";
import type { Exchange, Message } from "../wire/exchange.ts";
import { sendAtOnce } from "../wire/send-at-once.ts";

/** Number of copies of one call that are sent concurrently. */
export const DUPLICATES = 20;

/** If fewer copies than this get a response while they are open concurrently, the case did not test concurrency. */
const LEAST_TOGETHER = 5;
/**
 * Number of copies that are sent again at the same time. It is small enough for the shortest connection queue in use:
 * Python's http.server queues five.
 */
const SENT_AGAIN_TOGETHER = 4;

interface Copies {
  /** The responses to the copies that were sent concurrently. */
  readonly together: readonly Exchange[];
  /** The responses to the copies that were sent again after they got none. */
  readonly again: readonly Exchange[];
}

/**
 * Sends copies of one call concurrently. A server may refuse or reset some of the connections, or report that it is
 * busy; none of this is a second run. Such copies are sent again, as a gateway would do, and only the responses are
 * judged.
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
      `only ${answered} of ${DUPLICATES} copies got a response while they were open together: ${MORE_ROOM}`,
    );
  }
  return finding.outcome === "pass" && remark !== "" ? passed(remark) : finding;
}

const MORE_ROOM =
  "the server accepts too few concurrent connections for this case; increase its queue, such as request_queue_size in Python's http.server, or the backlog of listen";

function isAnswered(exchange: Exchange): boolean {
  return exchange.kind === "answer" && !isToldToWait(exchange);
}

/**
 * Sends a few copies at a time, and stops when one of the copies gets no response, because each may take the complete
 * time limit.
 */
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

/** Describes the copies that were sent again; empty if every copy got its response in the first round. */
function remarkOn({ together, again }: Copies): string {
  const unanswered = together.filter((exchange) => !isAnswered(exchange));
  if (unanswered.length === 0) return "";
  const what = new Set(unanswered.map(told));
  const late = again.filter(isAnswered).length;
  const then = late === unanswered.length ? "all of them then got a response" : `${late} of them then got a response`;
  return `${unanswered.length} of ${DUPLICATES} copies got no response at first (the server ${[...what].join(", ")}) and were sent again, as a gateway would: ${then}`;
}
