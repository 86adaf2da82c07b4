import { expect, test } from "vitest";
import { judge, splitLesson } from "./rules.ts";

const LESSON = "Text.\n\n```quiz\n? One?\n- no\n+ yes\n! Because.\n\n? Two?\n+ a\n- b\n```\n";

test("[USR-6] a lesson's quiz is removed from its text", () => {
  expect(splitLesson(LESSON)).toEqual({
    body: "Text.",
    quiz: [
      { question: "One?", answers: ["no", "yes"], right: 1, why: "Because." },
      { question: "Two?", answers: ["a", "b"], right: 0, why: "" },
    ],
  });
});

test("[USR-6] answers are judged one by one and all must be right", () => {
  const { quiz } = splitLesson(LESSON);
  expect(judge(quiz, [1, 0])).toMatchObject({ correct: 2, isPassed: true });
  expect(judge(quiz, [1, 1])).toMatchObject({ correct: 1, isPassed: false });
  expect(judge(quiz, [1])).toMatchObject({ correct: 1, isPassed: false });
});

test("[USR-6] a question without a right answer is an authoring error", () => {
  expect(() => splitLesson("```quiz\n? One?\n- a\n- b\n```")).toThrow("One?");
});
