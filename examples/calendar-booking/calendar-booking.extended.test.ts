import { readFile, rm } from "node:fs/promises";
import { startService } from "@yagate/example-stage/start-service";
import { FRAMEWORKS } from "@yagate/example-stage/story";
import { setTestStage } from "@yagate/example-stage/test-stage";
import { callTool } from "@yagate/handler/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { story } from "./story.ts";

const MEETING = { start: "2026-12-01T14:00:00Z", minutes: 60, title: "Tasting" };

function booking(...meetings: readonly Readonly<Record<string, string | number>>[]) {
  const toolCalls = meetings.map((parameters) => ({ name: "book_meeting", parameters }));
  return { input: "…", script: { turns: [{ toolCalls }, { text: "done" }] } };
}

describe("the calendar booking example", () => {
  it.each(FRAMEWORKS)("books the story's meeting in %s", async (framework) => {
    const { yagate, agentId, surroundings } = await setTestStage(story, framework, "scripted/keyword");
    const execution = await yagate.agents.execute(agentId, { input: story.question });
    const call = execution.toolCalls.find(({ name }) => name === "book_meeting");
    expect(call?.result).toMatchObject({ booked: true, start: "2026-12-01T14:00:00.000Z" });
    expect(await surroundings.calendar.bookings()).toEqual([
      {
        uid: call?.id,
        title: "Tasting",
        start: new Date("2026-12-01T14:00:00Z"),
        end: new Date("2026-12-01T14:30:00Z"),
        attendee: "guest@customer.example",
      },
    ]);
  });

  it("writes an iCalendar file, with the title's own commas and line breaks", async () => {
    const { yagate, agentId, surroundings } = await setTestStage(story);
    const title = "Wine, cheese; bread\nEND:VCALENDAR";
    await yagate.agents.execute(agentId, booking({ ...MEETING, title }));
    const file = await readFile(surroundings.environment["CALENDAR_FILE"] ?? "", "utf8");
    expect(file).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\nPRODID:[^\r\n]+\r\nBEGIN:VEVENT\r\nUID:tc_/);
    expect(file).toContain("\r\nDTSTART:20261201T140000Z\r\nDTEND:20261201T150000Z\r\n");
    expect(file.match(/^END:VCALENDAR/gm)).toHaveLength(1);
    expect((await surroundings.calendar.bookings())[0]?.title).toBe(title);
  });

  it("books a time for one of eight concurrent requests, and offers the others a free time", async () => {
    const { yagate, agentId, surroundings } = await setTestStage(story);
    const execution = await yagate.agents.execute(agentId, booking(...Array.from({ length: 8 }, () => MEETING)));
    const refused = execution.toolCalls.filter(({ status }) => status === "failed");
    expect(refused).toHaveLength(7);
    for (const { error } of refused) {
      const freeStarts = ["2026-12-01T15:00:00.000Z", "2026-12-01T15:30:00.000Z", "2026-12-01T16:00:00.000Z"];
      expect(error).toMatchObject({ code: "SLOT_TAKEN" });
      expect(error).toMatchObject({ details: { freeStarts } });
    }
    expect(await surroundings.calendar.bookings()).toHaveLength(1);
  });

  it.each([
    ["overlaps its beginning", "2026-12-01T13:30:00Z", "SLOT_TAKEN"],
    ["overlaps its end, in another zone", "2026-12-01T15:59:00+01:00", "SLOT_TAKEN"],
    ["begins when it ends", "2026-12-01T15:00:00Z", undefined],
    ["ends when it begins", "2026-12-01T13:00:00Z", undefined],
  ])("responds to a meeting that %s", async (_what, start, code) => {
    const { yagate, agentId } = await setTestStage(story);
    await yagate.agents.execute(agentId, booking(MEETING));
    const execution = await yagate.agents.execute(agentId, booking({ ...MEETING, start }));
    expect(execution.toolCalls[0]?.error?.code).toBe(code);
  });

  it("books once when a call arrives again after a restart", async () => {
    const { handler, signingSecret, surroundings } = await setTestStage(story);
    const call = { secret: signingSecret, name: "book_meeting", parameters: MEETING, toolCallId: "tc_again" };
    await callTool(fetch, { ...call, url: handler });
    const environment = { ...surroundings.environment, YAGATE_SIGNING_SECRET: signingSecret };
    const restarted = await startService(new URL("express.ts", story.folder), environment, () => undefined);
    onTestFinished(restarted.stop);
    const second = await callTool(fetch, { ...call, url: `${restarted.url}/tools` });
    expect(second.result).toMatchObject({ booked: true, reference: "tc_again" });
    expect(await surroundings.calendar.bookings()).toHaveLength(1);
  });

  it("finds the free times around a meeting", async () => {
    const { yagate, agentId, surroundings } = await setTestStage(story);
    await yagate.agents.execute(agentId, booking(MEETING));
    const toolCalls = [{ name: "find_free_slots", parameters: { date: "2026-12-01", minutes: 120 } }];
    const execution = await yagate.agents.execute(agentId, { input: "…", script: { turns: [{ toolCalls }] } });
    const starts = ["09:00", "09:30", "10:00", "10:30", "11:00", "11:30", "12:00", "15:00"];
    expect(execution.toolCalls[0]?.result).toMatchObject({
      starts: starts.map((time) => `2026-12-01T${time}:00.000Z`),
    });
    await rm(surroundings.environment["CALENDAR_FILE"] ?? "");
    expect(await surroundings.calendar.bookings()).toEqual([]);
  });
});
