import { onTestFinished } from "vitest";
import { type Stage, setStage } from "./set-stage.ts";
import type { Framework, Story, Surroundings } from "./story.ts";

/** Sets the stage for one test; the model plays what the execution's script says. */
export async function setTestStage<Around extends Surroundings>(
  story: Story<Around>,
  framework: Framework = "express",
  model = "scripted/turns",
): Promise<Stage<Around>> {
  const stage = await setStage(story, { framework, model, say: () => undefined });
  onTestFinished(stage.stop);
  return stage;
}
