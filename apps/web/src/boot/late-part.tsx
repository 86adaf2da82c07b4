// Parts of the frame whose code is no part of the first load: the server renders them, the browser hydrates them after
// the page. Their HTML is unchanged until then, so nothing moves and every link works.
import { type ComponentType, memo, Suspense, use } from "react";
import { loadOnce } from "#words/settled.ts";
import { patiently } from "./timeout.ts";

/** The start of each part; parts of other kinds add theirs. */
export const starts: (() => Promise<unknown>)[] = [];

/**
 * A component that is fetched separately. Kept between renders: a part before hydration must not change, or React would
 * discard its served HTML.
 */
export function latePart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const start = loadOnce(() => patiently(load));
  starts.push(start);

  function Inner(props: Props) {
    const Part = use(start());
    return <Part {...props} />;
  }
  function Late(props: Props) {
    return (
      <Suspense fallback={null}>
        <Inner {...props} />
      </Suspense>
    );
  }
  return memo(Late) as unknown as ComponentType<Props>;
}

/** On the server before the first page, in the browser when it has nothing else to do. */
export async function loadLateParts(): Promise<void> {
  let count = 0;
  // A part may bring parts of its own.
  while (count < starts.length) {
    count = starts.length;
    await Promise.all(starts.map((start) => start()));
  }
}
