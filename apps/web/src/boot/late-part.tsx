// Parts of the frame whose code is no part of the first load: the server draws them, the browser wakes them after the
// page. Their HTML stays where it is until then, so nothing moves and every link works.
import { type ComponentType, memo, Suspense, use } from "react";
import { loadOnce } from "#words/settled.ts";
import { patiently } from "./timeout.ts";

/** How each part is begun; parts of other kinds add theirs. */
export const starts: (() => Promise<unknown>)[] = [];

/**
 * A component that is fetched on its own. Remembered between renders: a part that sleeps must not be asked to change,
 * or React would throw its served HTML away.
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
