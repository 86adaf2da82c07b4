// Refusals of rewards and their console, with status and message.
import { CLAIMANT_REFUSALS } from "@clockwork/host/claimant";
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  TASK_UNKNOWN: [404, "Task not found."],
  TASK_LOCKED: [409, "This task has not opened yet."],
  TASK_NOT_DONE: [409, "This task is not done yet."],
  TASK_EXPIRED: [409, "This task has ended."],
  ...CLAIMANT_REFUSALS,
  REWARD_BUDGET_SPENT: [409, "Fully claimed."],
  REWARD_ON_ITS_WAY: [503, "Your reward is being credited. Check again in a moment."],
} as const satisfies RefusalTable<string>;

export type RewardRefusal = keyof typeof REFUSALS;

export const DESK_REFUSALS = {
  CAMPAIGN_UNKNOWN: [404, "Campaign not found."],
  CAMPAIGN_EXISTS: [409, "A campaign with this name already exists."],
  TASK_UNKNOWN: [404, "Task in this campaign not found."],
  TASK_EXISTS: [409, "A task with this name already exists."],
  COURSE_UNKNOWN: [422, "Only a quiz task can name a college course."],
  INVALID_TIMES: [422, "The end must be after the start, and the claim period must not end earlier."],
  INVALID_TARGET: [422, "Must be above zero; counts must be whole numbers."],
  INVALID_AMOUNT: [400, "Must be above zero."],
} as const satisfies RefusalTable<string>;

export type DeskRefusal = keyof typeof DESK_REFUSALS;
