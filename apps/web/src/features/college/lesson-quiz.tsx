// A lesson's questions: chosen here, judged by the server, explained afterwards.
import { COLLEGE_CALLS, type Lesson, type QuizResult } from "@clockwork/site/college/contract";
import { Button } from "@clockwork/ui/button";
import { type FormEvent, useState } from "react";
import { useRouteLoaderData } from "react-router";
import type { RootData } from "#boot/root-data.ts";
import { useCalls } from "#session/auth-context.ts";
import { usePublicText } from "#words/public-text.ts";

export function LessonQuiz({ lesson }: { readonly lesson: Lesson }) {
  const text = usePublicText();
  const calls = useCalls();
  const signedIn = (useRouteLoaderData<RootData>("root")?.topInfo.id ?? null) !== null;
  const [chosen, setChosen] = useState<Readonly<Record<number, number>>>({});
  const [result, setResult] = useState<QuizResult>();
  const [problem, setProblem] = useState<"missing" | "failed">();
  const [isBusy, setBusy] = useState(false);
  if (lesson.quiz.length === 0) return null;

  const send = async (event: FormEvent) => {
    event.preventDefault();
    const answers = lesson.quiz.flatMap((_, at) => chosen[at] ?? []);
    if (answers.length < lesson.quiz.length) return setProblem("missing");
    setBusy(true);
    setProblem(undefined);
    const request = await calls();
    const body = { course: lesson.course, lesson: lesson.slug, answers };
    const answer = await request.call(COLLEGE_CALLS.quiz, body);
    setBusy(false);
    if (answer.ok) setResult(answer.data);
    else setProblem("failed");
  };
  const again = () => {
    setChosen({});
    setResult(undefined);
  };

  return (
    <form
      onSubmit={(event) => void send(event)}
      aria-labelledby="quiz"
      className="mt-12 rounded-card border border-line p-6"
    >
      <h2 id="quiz" className="font-semibold text-[20px] leading-7 tracking-[-0.015em]">
        {text("public.college.quiz")}
      </h2>
      {lesson.quiz.map((question, at) => (
        <Question
          key={question.question}
          question={question}
          name={`question-${at}`}
          chosen={chosen[at]}
          judged={result?.results[at]}
          onChoose={(answer) => setChosen({ ...chosen, [at]: answer })}
        />
      ))}
      <div className="mt-6 flex flex-wrap items-center gap-4" aria-live="polite">
        {result === undefined ? (
          <Button type="submit" kind="primary" busy={isBusy}>
            {text("public.college.check")}
          </Button>
        ) : (
          <>
            <p className="font-semibold">
              {result.isPassed
                ? text("public.college.allRight")
                : text("public.college.score", { correct: result.correct, count: result.questions })}
            </p>
            <Button onPress={again}>{text("public.college.again")}</Button>
          </>
        )}
        {problem !== undefined && <p className="text-danger">{text(`public.college.${problem}`)}</p>}
        {!signedIn && <p className="text-label text-muted">{text("public.college.keep")}</p>}
      </div>
    </form>
  );
}

interface QuestionProps {
  readonly question: Lesson["quiz"][number];
  readonly name: string;
  readonly chosen: number | undefined;
  readonly judged: QuizResult["results"][number] | undefined;
  readonly onChoose: (answer: number) => void;
}

function Question({ question, name, chosen, judged, onChoose }: QuestionProps) {
  const text = usePublicText();
  return (
    <fieldset className="mt-6" disabled={judged !== undefined}>
      <legend className="font-medium">{question.question}</legend>
      <div className="mt-2 grid gap-1">
        {question.answers.map((answer, at) => (
          <label
            key={answer}
            className="flex cursor-pointer items-start gap-3 rounded-control px-2 py-1.5 hover:bg-surface"
          >
            <input
              type="radio"
              name={name}
              checked={chosen === at}
              onChange={() => onChoose(at)}
              className="mt-1 accent-[var(--accent-solid)]"
            />
            <span>{answer}</span>
          </label>
        ))}
      </div>
      {judged !== undefined && (
        <p className="mt-2 text-muted">
          <strong className="font-semibold text-text">
            {judged.isCorrect
              ? text("public.college.right")
              : text("public.college.wrong", { answer: question.answers[judged.right] ?? "" })}
          </strong>{" "}
          {judged.why}
        </p>
      )}
    </fieldset>
  );
}
