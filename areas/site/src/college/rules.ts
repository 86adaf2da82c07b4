// How a lesson's text contains its quiz, and how answers are judged. Pure.

export interface Question {
  readonly question: string;
  readonly answers: readonly string[];
  /** Position of the right one. */
  readonly right: number;
  /** The explanation; shown after the answer. */
  readonly why: string;
}

export interface LessonText {
  readonly body: string;
  readonly quiz: readonly Question[];
}

const QUIZ = /```quiz\n([\s\S]*?)```/;

/** Takes the quiz out of a lesson. `?` is the question, `-` wrong, `+` right, `!` the explanation. */
export function splitLesson(markdown: string): LessonText {
  const quiz = QUIZ.exec(markdown)?.[1] ?? "";
  return {
    body: markdown.replace(QUIZ, "").trim(),
    quiz: quiz.split(/^\? /m).slice(1).map(readQuestion),
  };
}

function readQuestion(text: string): Question {
  const lines = text.split("\n").map((line) => line.trim());
  const [question = ""] = lines;
  const options = lines.filter((line) => line.startsWith("- ") || line.startsWith("+ "));
  const right = options.findIndex((line) => line.startsWith("+ "));
  if (question === "" || options.length < 2 || right < 0) throw new Error(`a quiz question is not whole: ${question}`);
  return {
    question,
    answers: options.map((line) => line.slice(2)),
    right,
    why: lines.find((line) => line.startsWith("! "))?.slice(2) ?? "",
  };
}

/** Question by question; a missing answer is a wrong one. */
export function judge(quiz: readonly Question[], answers: readonly number[]) {
  const results = quiz.map(({ right, why }, at) => ({ isCorrect: answers[at] === right, right, why }));
  const correct = results.filter(({ isCorrect }) => isCorrect).length;
  return { correct, questions: quiz.length, isPassed: quiz.length > 0 && correct === quiz.length, results };
}
