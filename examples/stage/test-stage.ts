import { onTestFinished } from "vitest";
import { type Stage, setStage } from "./set-stage.ts";
import type { Framework, Story, Surroundings } from "./story.ts";

/** Sets the stage for one test. The model plays the script of the execution. */
export async function setTestStage<Around extends Surroundings>(
  story: Story<Around>,
  framework: Framework = "express",
  model = "scripted/turns",
): Promise<Stage<Around>> {
  const stage = await setStage(story, { framework, model, say: () => undefined });
  onTestFinished(stage.stop);
  return stage;
}
