// Refusals of rewards and their console, with status and message.
import { CLAIMANT_REFUSALS } from "@clockwork/host/claimant";
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  TASK_UNKNOWN: [404, "There is no such task."],
  TASK_LOCKED: [409, "This task has not opened yet."],
  TASK_NOT_DONE: [409, "This task is not done yet."],
  TASK_EXPIRED: [409, "The time for this task is over."],
  ...CLAIMANT_REFUSALS,
  REWARD_BUDGET_SPENT: [409, "All given out."],
  REWARD_ON_ITS_WAY: [503, "Your reward is on its way; look again in a moment."],
} as const satisfies RefusalTable<string>;

export type RewardRefusal = keyof typeof REFUSALS;

export const DESK_REFUSALS = {
  CAMPAIGN_UNKNOWN: [404, "There is no such campaign."],
  CAMPAIGN_EXISTS: [409, "There is a campaign of this name."],
  TASK_UNKNOWN: [404, "There is no such task in this campaign."],
  TASK_EXISTS: [409, "There is a task of this name."],
  COURSE_UNKNOWN: [422, "A quiz, and nothing else, names a course of the college."],
  INVALID_TIMES: [422, "It ends after it starts and is claimed until then or later."],
  INVALID_TARGET: [422, "Above zero; a count is whole."],
  INVALID_AMOUNT: [400, "Above zero."],
} as const satisfies RefusalTable<string>;

export type DeskRefusal = keyof typeof DESK_REFUSALS;
