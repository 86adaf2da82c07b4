// Comments of simulated traders about simulated leaders in the default run, in their languages, with the translations
// written for them. Data, and the assignment of comments.
import { SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import { HOUR_MS } from "@clockwork/kit/time";
import type { NewComment } from "../comments/store.ts";

const COMMENTS = [
  {
    nickname: "marisol_88",
    text: "Lo sigo desde hace un mes. Pocas operaciones, pérdidas pequeñas.",
    english: "I have followed for a month. Few trades, small losses.",
  },
  {
    nickname: "kenji.t",
    text: "損切りが早くて安心できます。",
    english: "Losses are cut early, which is reassuring.",
  },
  {
    nickname: "Brandt",
    text: "Solide, aber in ruhigen Wochen passiert wenig.",
    english: "Solid, but little happens in quiet weeks.",
  },
  {
    nickname: "lucie_m",
    text: "Attention au levier les jours agités.",
    english: "Mind the leverage on restless days.",
  },
  {
    nickname: "oleks",
    text: "Копирую небольшой суммой, результат ровный.",
    english: "I copy with a small amount; the result is steady.",
  },
  {
    nickname: "Tavares",
    text: "A participação nos lucros vale a pena para mim.",
    english: "The profit share is worth it for me.",
  },
  {
    nickname: "minh_ng",
    text: "Lệnh của tôi khớp gần với giá của người dẫn đầu.",
    english: "My orders fill close to the leader's price.",
  },
  {
    nickname: "selin",
    text: "Uzun vadeli düşünenler için uygun.",
    english: "Suits those who think in the long term.",
  },
] as const;

const PER_LEADER = 2;
/** Distinct from the traders of the market, the leaders and their past. */
const FIRST_USER = SIMULATED_USER_MIN + 700;

export function commentsOn(leader: number, index: number, nowMs: number): readonly NewComment[] {
  return Array.from({ length: PER_LEADER }, (_, at) => {
    const which = (index * PER_LEADER + at) % COMMENTS.length;
    const { nickname, text } = COMMENTS[which] as (typeof COMMENTS)[number];
    return {
      client_id: `simulated:${leader}`,
      leader,
      user_id: FIRST_USER + which,
      nickname,
      text,
      created_ms: nowMs - (PER_LEADER - at) * HOUR_MS,
    };
  });
}

/** Only the English text was written. */
export function findWritten(text: string, language: string): string | undefined {
  return language === "en" ? COMMENTS.find((one) => one.text === text)?.english : undefined;
}
